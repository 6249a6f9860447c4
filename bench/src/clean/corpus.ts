import { readFile } from 'node:fs/promises';

/** A text that hides something, and what must not be left of it. */
export interface Attack {
  readonly name: string;
  readonly text: string;
  readonly hidden: readonly string[];
  readonly shown: readonly string[];
}

/** A text of which nothing may be lost. */
export interface HonestText {
  readonly script: string;
  readonly text: string;
}

/** A text with something in it that no page shows: words, or bits that tell it from a twin that looks the same. */
export interface HiddenText {
  readonly text: string;
  readonly payload?: string;
  readonly twin?: string;
}

export interface Corpus {
  readonly hidden: readonly HiddenText[];
  readonly attacks: readonly Attack[];
  readonly honest: readonly HonestText[];
}

/** The test data of `@agent/text`, which is not published. */
export async function readCorpus(): Promise<Corpus> {
  const folder = new URL('../../../packages/text/test/corpus/', import.meta.url);
  const read = async (name: string) => JSON.parse(await readFile(new URL(name, folder), 'utf8'));
  return {
    hidden: await read('hidden.json'),
    attacks: await read('attacks.json'),
    honest: await read('legitimate.json'),
  };
}

export interface Score {
  /** How many hidden texts pass with words, and how many with bits. */
  readonly words: number;
  readonly bits: number;
  readonly hidden: number;
  /** Names of attacks of which everything hidden is gone and everything shown is left. */
  readonly disarmed: readonly string[];
  readonly missed: readonly string[];
  readonly unchanged: readonly HonestText[];
  readonly changed: readonly HonestText[];
}

/** How a way of cleaning does on the corpus. */
export function scoreCorpus({ attacks, honest, hidden }: Corpus, clean: (text: string) => string): Score {
  const isDisarmed = ({ text, hidden, shown }: Attack) => {
    const cleaned = clean(text);
    return hidden.every((part) => !cleaned.includes(part)) && shown.every((part) => cleaned.includes(part));
  };
  const names = (isWanted: boolean) =>
    attacks.filter((attack) => isDisarmed(attack) === isWanted).map(({ name }) => name);
  const count = (passes: (one: HiddenText) => boolean) => hidden.filter(passes).length;
  return {
    words: count(({ text, payload }) => payload !== undefined && clean(text).includes(payload)),
    bits: count(({ text, twin }) => twin !== undefined && clean(text) !== clean(twin)),
    hidden: hidden.length,
    disarmed: names(true),
    missed: names(false),
    unchanged: honest.filter(({ text }) => clean(text) === text),
    changed: honest.filter(({ text }) => clean(text) !== text),
  };
}
