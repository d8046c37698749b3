"""`mha-tutor present`: slides for a room, a pointer, a timer, polls."""
