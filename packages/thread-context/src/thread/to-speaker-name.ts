import { toLineFeeds } from './normalize-text.ts';

/** Colons of every kind: behind the first one the transcript goes on with what was said. */
const colons = /[:\u02D0\u02F8\u0589\u2236\uA789\uFE13\uFE55\uFF1A]/g;

/** A name on one line and without colons, so that nobody's name can speak for somebody else. */
export function toSpeakerName(name: string, fallback: string): string {
  const plain = toPlain(name);
  if (plain !== '') return plain;
  return toPlain(fallback) || 'unknown';
}

function toPlain(name: string): string {
  if (/^[\w.]+$/.test(name)) return name;
  return toLineFeeds(name)
    .replace(colons, ' ')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}
