import type { HtmlAttribute, HtmlTag } from './html-tag.ts';

/** Attributes that decide how something looks; a word is all they need. */
const layout = new Set(
  'align valign width height colspan rowspan open start type dir lang border reversed checked disabled color size'.split(
    ' ',
  ),
);
/** Addresses, which an agent may have to open. */
const addresses = new Set(['href', 'src']);

/** Elements that show nothing of what is in them. */
const unseen = new Set(
  'script style template noscript noembed noframes iframe object title head datalist canvas'.split(' '),
);

const unseenStyle =
  /display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|(?:font-size|opacity|(?:max-)?(?:height|width))\s*:\s*0(?!\.?\d*[1-9])|(?<![-\w])color\s*:\s*(?:transparent|white|#fff(?:fff)?(?![0-9a-f]))|text-indent\s*:\s*-|(?:left|top)\s*:\s*-\d{3}|clip(?:-path)?\s*:/i;
const unseenColour = /^(?:transparent|white|#?fff(?:fff)?)$/i;

/** Whether an attribute may stay: it decides how something looks, or leads somewhere. */
export function isShownAttribute({ name, value }: HtmlAttribute): boolean {
  if (addresses.has(name)) return !/\s/.test(value.trim());
  if (name === 'alt') return isPlainToken(value);
  return layout.has(name) && /^[\w.%#-]{0,24}$/.test(value);
}

/** One word of letters and digits says no more than the address of the image, which stays as well. */
export function isPlainToken(text: string): boolean {
  return /^[\w.-]{0,64}$/.test(text);
}

/** Whether what stands between this tag and its end is not shown. */
export function hidesContent({ name, isClosing, attributes }: HtmlTag): boolean {
  if (isClosing) return false;
  return unseen.has(name) || hidesByAttribute({ attributes });
}

/** The same by `hidden`, a style or a colour: such an element hides even when nothing ends it. */
export function hidesByAttribute({ attributes }: Pick<HtmlTag, 'attributes'>): boolean {
  return attributes.some(
    ({ name, value }) =>
      name === 'hidden' ||
      (name === 'style' && unseenStyle.test(value)) ||
      (name === 'color' && unseenColour.test(value.trim())),
  );
}
