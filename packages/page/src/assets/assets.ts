import { createHash } from 'node:crypto';
import built from './built.json' with { type: 'json' };

/** File that a browser loads: its name has the hash of its content, so that it may be kept for good. */
export interface Asset {
  /** `/assets/page-….css` */
  readonly path: string;
  readonly type: string;
  readonly text: string;
}

function toAsset(name: string, ending: string, { type, text }: { type: string; text: string }): Asset {
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 12);
  return { path: `/assets/${name}-${hash}.${ending}`, type, text };
}

/** Files of the page; `npm run assets` in this package makes them of `client/`. */
export const assets = {
  style: toAsset('page', 'css', { type: 'text/css; charset=utf-8', text: built.style }),
  script: toAsset('page', 'js', { type: 'text/javascript; charset=utf-8', text: built.script }),
  icon: toAsset('icon', 'svg', { type: 'image/svg+xml', text: built.icon }),
};
