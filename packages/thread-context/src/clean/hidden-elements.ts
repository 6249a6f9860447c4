import type { Cut } from './edits.ts';
import type { PlacedTag } from './findings.ts';
import { hidesByAttribute, hidesContent } from './shown-attributes.ts';

const empty = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));

/**
 * The elements that are not shown, with all that is in them. One that nothing ends reaches to the end of its
 * block when its own attributes hide it; `<script>` in the middle of a sentence hides nothing.
 */
export function findHiddenElements(tags: readonly PlacedTag[]): Cut[] {
  const cuts: Cut[] = [];
  const open = new Map<string, PlacedTag[]>();
  for (const placed of [...tags].sort((a, b) => a.place.start - b.place.start)) {
    const { tag, place } = placed;
    const opened = open.get(tag.name) ?? [];
    open.set(tag.name, opened);
    if (!tag.isClosing) {
      if (!empty.has(tag.name)) opened.push(placed);
      continue;
    }
    const begin = opened.pop();
    if (begin === undefined || !hidesContent(begin.tag)) continue;
    cuts.push({ start: begin.place.start, end: place.end, kind: 'hidden-element' });
  }
  for (const { tag, place, blockEnd } of [...open.values()].flat()) {
    if (hidesByAttribute(tag)) cuts.push({ start: place.start, end: blockEnd, kind: 'hidden-element' });
  }
  return cuts;
}
