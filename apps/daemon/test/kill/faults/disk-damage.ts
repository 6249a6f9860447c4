import { readFile, writeFile } from 'node:fs/promises';

/** What a disk does to a file: half of it is gone; a letter in the middle is another one; a line in the middle is none. */
export type DiskDamage = 'halve' | 'flip' | 'garble' | 'empty';

/** Does it to a file that is there; a file that is not there stays so. */
export async function damageFile(path: string, damage: DiskDamage): Promise<void> {
  const text = await readFile(path, 'latin1').catch(() => null);
  if (text === null) return;
  await writeFile(path, harm[damage](text), 'latin1');
}

const harm: Readonly<Record<DiskDamage, (text: string) => string>> = {
  halve: (text) => text.slice(0, Math.floor(text.length / 2)),
  flip: flipLetter,
  garble: (text) => {
    const lines = text.split('\n');
    return lines.toSpliced(Math.floor(lines.length / 2), 1, '{"seq":').join('\n');
  },
  empty: () => '',
};

/** The first letter in the second half that may be another one and leaves JSON what it is. */
function flipLetter(text: string): string {
  const from = Math.floor(text.length / 2);
  const at = text.slice(from).search(/[a-z]{3} [a-z]{3}/);
  const index = at === -1 ? from : from + at;
  return text.slice(0, index) + String.fromCharCode(text.charCodeAt(index) ^ 1) + text.slice(index + 1);
}

/** Files of a run that its record makes up for while the run is at work. */
export const derivedFiles = [
  'metadata.json',
  'current.jsonl',
  'tools.jsonl',
  'summaries.jsonl',
  'comment_detection_state.json',
] as const;
