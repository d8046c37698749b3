"""The command line."""


def main() -> None:
    """Run mha-tutor."""
    from mha_tutor.examples import find
    from mha_tutor.stages import walk

    for stage in walk(find("robot")).stages:
        print(stage.key, stage.formula)
