"""The picture of the story: flowers in a plane, and beside it the tree, or the trees, at each frame.

It is a list of parts, each with the scenes at which it is there. The picture that moves has them all, and a script
changes their classes; a still one has those of its scene, and leads to what many scenes share.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import groupby

from docs.tools.played.story_facts import Story
from docs.tools.played.story_plane import STRIP, Plane
from docs.tools.played.story_scene import HIGH, WIDE, Part, Scene
from docs.tools.played.story_trees import Boughs


class Picture:
    """All parts, in the order in which they are drawn."""

    def __init__(self, story: Story, words: Mapping[str, str]) -> None:
        self.story, self.words = story, words
        self.field = Plane(story)

    @cached_property
    def plane(self) -> list[Part]:
        """The parts of the plane."""
        return self.field.parts()

    @cached_property
    def beside(self) -> list[Part]:
        """The parts of the tree, or of the trees."""
        return Boughs(self.story, self.words).parts()

    @cached_property
    def shared(self) -> str:
        """What is drawn once, and shown by many: the marks, the flowers, the votes, the forest."""
        once = (
            f'<g id="{part.name}">{part.element.replace("{}", "", 1)}</g>'
            for part in (*self.plane, *self.beside)
            if part.shared
        )
        return self.field.marks() + "".join(once)

    def moving(self, scene: Scene) -> str:
        """The picture with all its parts, as it is at a scene."""

        def drawn(part: Part) -> str:
            return part.element.replace("{}", f' data-mark="{part.name}" class="{part.look(scene)}"', 1)

        return self._framed("".join(map(drawn, self.plane)), "".join(map(drawn, self.beside)))

    def still(self, scene: Scene, at: float) -> str:
        """The picture of a scene; the line that slides stands at a share of the width."""

        def drawn(part: Part) -> str:
            mark = part.look(scene)
            if "later" in mark.split():
                return ""
            return part.shared or part.element.replace("{}", f' class="{mark}"', 1)

        plane = "".join(drawn(part) for part in self.plane if not part.name.startswith("p"))
        # Flowers that look as in most scenes are shown all at once.
        plain = not (scene.faint or scene.gone or scene.wrong - {*self.story.held})
        flowers = '<use href="#every-trained"/>' if plain else self._each(drawn, self.story.trained)
        if scene.held:
            flowers += '<use href="#every-held"/>' if not scene.wrong else self._each(drawn, self.story.held)
        elif scene.come:
            flowers += self._each(drawn, self.story.held)
        crosses = "".join(drawn(part) for part in self.plane if part.name.startswith("px"))
        framed = self._framed(plane + flowers + crosses, "".join(map(drawn, self.beside)))
        return framed.replace("--share:0", f"--share:{at:.4f}")

    def looks(self, scenes: Sequence[Scene]) -> dict[str, list[object]]:
        """Part → its classes in turn, each after the number of frames for which it has it."""
        found: dict[str, list[object]] = {}
        for part in (*self.plane, *self.beside):
            looks = [part.look(scene) for scene in scenes]
            spans = [(look, len(list(run))) for look, run in groupby(looks)]
            found[part.name] = [cell for look, length in spans for cell in (length, look)]
        return found

    def _each(self, drawn: Callable[[Part], str], rows: Sequence[int]) -> str:
        names = {f"p{row}" for row in rows}
        return "".join(drawn(part) for part in self.plane if part.name in names)

    def _framed(self, plane: str, beside: str) -> str:
        ticks = "".join(
            f'<text x="{self.field.x(Fraction(cm))}" y="{HIGH + 12}">{cm}</text>' for cm in range(3, 8)
        ) + "".join(f'<text x="-8" y="{self.field.y(Fraction(cm)) + 3:.1f}">{cm}</text>' for cm in range(5, 9))
        names = (
            f'<text x="{WIDE // 2}" y="{HIGH + 26}">{self.words["across"]}</text>'
            f'<text transform="translate(-18 {HIGH // 2}) rotate(-90)">{self.words["up"]}</text>'
        )
        return (
            f'<svg class="field" viewBox="-30 -6 {WIDE + 38} {HIGH + STRIP + 34}" aria-hidden="true">'
            f'<path class="axes" d="M0 0V{HIGH}H{WIDE}"/><g class="ticks">{ticks}{names}</g>{plane}</svg>'
            f'<svg class="boughs" viewBox="0 0 {WIDE} {HIGH + 20}" aria-hidden="true">{beside}</svg>'
        )
