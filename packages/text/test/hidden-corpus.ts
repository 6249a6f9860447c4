import hidden from './corpus/hidden.json' with { type: 'json' };

/** A text with something in it that no page shows. */
export interface HiddenText {
  readonly group: string;
  readonly name: string;
  readonly text: string;
}

/** Words of the text that nobody sees. */
export interface HiddenWords extends HiddenText {
  readonly payload: string;
}

/** Another text that looks the same: what tells them apart are some 64 bits. */
export interface HiddenBits extends HiddenText {
  readonly twin: string;
}

/** Attacks that carry words. */
export const hiddenWords: readonly HiddenWords[] = hidden
  .filter(({ payload }) => payload !== undefined)
  .map(toWords);

/** Attacks that carry bits. */
export const hiddenBits: readonly HiddenBits[] = hidden.filter(({ twin }) => twin !== undefined).map(toBits);

function toWords({ group, name, text, payload = '' }: (typeof hidden)[number]): HiddenWords {
  return { group, name, text, payload };
}

function toBits({ group, name, text, twin = '' }: (typeof hidden)[number]): HiddenBits {
  return { group, name, text, twin };
}
