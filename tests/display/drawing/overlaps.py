"""Which words of a picture lie on each other, as the layout measures them."""

from __future__ import annotations

from infoset.display.drawing.scene import Scene, TextLine

SLACK = 0.01  # pixels of rounding


def overlaps(scene: Scene) -> list[tuple[str, str]]:
    """Pairs of texts whose boxes meet."""
    found = []
    words = sorted((m for m in scene.marks if isinstance(m, TextLine)), key=lambda m: m.box[1])
    for at, one in enumerate(words):
        for two in words[at + 1 :]:
            if two.box[1] >= one.box[3] - SLACK:
                break
            apart = two.box[0] >= one.box[2] - SLACK or one.box[0] >= two.box[2] - SLACK
            if not apart:
                found.append((one.text, two.text))
    return found


def outside(scene: Scene) -> list[object]:
    """Marks that reach over the edge of the picture."""
    return [
        mark
        for mark in scene.marks
        if mark.box[0] < -SLACK
        or mark.box[1] < -SLACK
        or mark.box[2] > scene.width + 0.1
        or mark.box[3] > scene.height + 0.1
    ]
