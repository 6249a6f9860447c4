import type { Span } from './edits.ts';
import type { HtmlAttribute, HtmlTag } from './html-tag.ts';

/** Attributes that decide how something looks or where it is; a word is all they need. */
const layout = new Set(
  'align valign width height colspan rowspan open start type dir lang border reversed checked disabled color size id name loading target'.split(
    ' ',
  ),
);
/** Addresses, which an agent may have to open. */
const addresses = new Set(['href', 'src', 'srcset', 'cite']);

/** Further values that need more than a word. */
const phrases: ReadonlyMap<string, RegExp> = new Map([
  ['rel', /^(?:(?:noopener|noreferrer|nofollow|ugc|external)(?: |$))+$/],
  ['media', /^\((?:prefers-color-scheme: ?(?:dark|light)|(?:min|max)-width: ?\d{1,5}px)\)$/],
]);

/** The attributes of a tag that no page shows. */
export function findHiddenAttributes({ attributes, isClosing }: HtmlTag): readonly Span[] {
  return attributes.length === 0
    ? attributes
    : attributes.filter((attribute) => isClosing || !isShown(attribute));
}

/** One word of letters and digits says no more than the address of the image, which stays as well. */
export function isPlainToken(text: string): boolean {
  return /^[\p{L}\p{M}\p{N}_.-]{0,64}$/u.test(text);
}

function isShown({ name, value }: HtmlAttribute): boolean {
  if (addresses.has(name)) return !/\s/.test(value.trim());
  if (name === 'alt') return isPlainToken(value);
  return (layout.has(name) && /^[\w.%#-]{0,64}$/.test(value)) || phrases.get(name)?.test(value) === true;
}
