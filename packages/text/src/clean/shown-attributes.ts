import type { Span } from './edits.ts';
import type { HtmlAttribute, HtmlTag } from './html-tag.ts';
import { toPlainAddress } from './plain-address.ts';
import { isPlainToken } from './prose.ts';

const size = /^\d{1,4}(?:\.\d{1,2})?(?:px|em|rem|%)?$/;
const flag = /^(?:true|false|open|reversed|checked|disabled)?$/;

/** Attributes that decide how something looks, with all the values that need no word of their own. */
const layout: ReadonlyMap<string, RegExp> = new Map([
  ['align', /^(?:left|right|center|justify|middle|top|bottom)$/],
  ['valign', /^(?:top|middle|bottom|baseline)$/],
  ['dir', /^(?:ltr|rtl|auto)$/],
  ['lang', /^[a-z]{2,3}(?:-[a-z]{2})?$/],
  ['type', /^(?:[1ai]|checkbox|radio|button|disc|circle|square|image\/[a-z]{3,4}|video\/mp4)$/],
  ['loading', /^(?:lazy|eager)$/],
  ['target', /^_(?:blank|self|top|parent)$/],
  [
    'color',
    /^(?:#[0-9a-f]{3,8}|red|green|blue|black|gray|grey|orange|yellow|purple|white|brown|cyan|magenta)$/,
  ],
  ['rel', /^(?:(?:noopener|noreferrer|nofollow|ugc|external)(?: |$)){1,5}$/],
  ['media', /^\((?:prefers-color-scheme: ?(?:dark|light)|(?:min|max)-width: ?\d{1,5}px)\)$/],
  ...['width', 'height', 'size', 'border', 'colspan', 'rowspan', 'start'].map(
    (name) => [name, size] as const,
  ),
  ...['open', 'reversed', 'checked', 'disabled'].map((name) => [name, flag] as const),
]);
/** Addresses, which an agent may have to open. */
const addresses = new Set(['href', 'src', 'srcset', 'cite']);

/** The attributes of a tag that no page shows. */
export function findHiddenAttributes({ attributes, isClosing }: HtmlTag): readonly Span[] {
  return attributes.length === 0
    ? attributes
    : attributes.filter((attribute) => isClosing || !isShown(attribute));
}

function isShown({ name, value }: HtmlAttribute): boolean {
  if (addresses.has(name)) return !/\s/.test(value.trim()) && toPlainAddress(value) === value;
  if (name === 'alt') return isPlainToken(value);
  return layout.get(name)?.test(value.toLowerCase()) === true;
}
