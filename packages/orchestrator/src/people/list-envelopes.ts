/** A text of a user, as a model was shown it. Places are UTF-16 units. */
export interface Envelope {
  /** Place of the author's name, without `@`. */
  readonly authorAt: number;
  readonly author: string;
  /** Places of the first and behind the last unit of the text inside. */
  readonly from: number;
  readonly to: number;
}

const begin =
  /===== BEGIN TEXT ([A-Za-z0-9-]{16,128}) \| author: @([^\s|]{1,100}) \| authority: [^\n]{0,200}\n/g;
const end = /\n===== END TEXT ([A-Za-z0-9-]{16,128})/g;

/** Lists the envelopes of a text, first to last. An envelope without an end is left out. @see wrapUntrustedText */
export function listEnvelopes(text: string): readonly Envelope[] {
  /** Places of ends by their code, last to first. */
  const ends = new Map<string, number[]>();
  for (const { 1: code = '', index } of [...text.matchAll(end)].toReversed()) {
    const places = ends.get(code);
    if (places === undefined) ends.set(code, [index]);
    else places.push(index);
  }
  const envelopes: Envelope[] = [];
  let behind = 0;
  for (const { 0: line, 1: code = '', 2: author = '', index } of text.matchAll(begin)) {
    if (index < behind) continue;
    // An empty text ends with the break of the first line.
    const from = index + line.length;
    const places = ends.get(code) ?? [];
    while ((places.at(-1) ?? from) < from - 1) places.pop();
    const to = places.at(-1);
    if (to === undefined) continue;
    envelopes.push({
      authorAt: index + line.indexOf('| author: @') + 11,
      author,
      from,
      to: Math.max(from, to),
    });
    behind = to;
  }
  return envelopes;
}
