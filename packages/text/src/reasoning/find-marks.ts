/** Mark that opens or closes a stretch of reasoning. */
export interface ReasoningMark {
  readonly start: number;
  readonly end: number;
  readonly isClosing: boolean;
  /** `certain`: prose never contains it. `bracket`: square brackets, which Markdown uses as well. */
  readonly style: 'tag' | 'bracket' | 'certain';
  readonly isUpperCase: boolean;
}

const name =
  '(?:(?:inner|internal|hidden|ant|longcat)[_-]?)?(?:think(?:ing)?|thoughts?|reasoning|reflection|analysis|rationale|scratch_?pad|monologue|chain[_-]of[_-]thoughts?|cot|introspection|deliberation|思考|推理|思维链)(?:[_-](?:process|content|block|trace)|过程|過程)?';
const begin = '(?:begin|start)[_▁-](?:of[_▁-])?';
const end = '(?:end|stop)[_▁-](?:of[_▁-])?';

/** Each style has a group for its closing form; a match without such a group is an opening mark. */
const markPattern = new RegExp(
  [
    `[<＜]\\s?(?:(?<tagEnd>/)?\\s?(?<space>[a-z]{1,16}:)?${name}(?:\\s[^<>＞]{0,200})?(?<!/)\\s{0,9})[>＞]`,
    `\\[(?<bracketEnd>/)?${name}\\](?![(\\[:])`,
    `◁(?<triangleEnd>/)?${name}▷`,
    `<[|｜](?:(?<pipeEnd>/|${end})|${begin})?${name}[|｜]?>`,
    `<[|｜]${name}[_▁-](?:(?<suffixEnd>end|stop)|start|begin)[|｜]>`,
    `<[|｜]inner_(?:prefix|(?<innerEnd>suffix))[|｜]>`,
    `<(?:unused|ctrl)9(?:4|(?<unusedEnd>5))>`,
    `(?<lastPipe><${name}[|｜]>|<channel[|｜]>)`,
    `<[|｜]channel>\\s{0,9}${name}`,
  ].join('|'),
  'gi',
);

/** Lists the marks of a text in their order, including quoted marks. */
export function findMarks(text: string): readonly ReasoningMark[] {
  return [...text.matchAll(markPattern)].map(({ 0: written, index, groups = {} }) => {
    const isBracket = written.startsWith('[');
    const isTag =
      /^[<＜](?!unused|ctrl)/i.test(written) && !/[|｜]/.test(written) && groups.space === undefined;
    return {
      start: index,
      end: index + written.length,
      isClosing:
        (groups.tagEnd ??
          groups.bracketEnd ??
          groups.triangleEnd ??
          groups.pipeEnd ??
          groups.suffixEnd ??
          groups.innerEnd ??
          groups.unusedEnd ??
          groups.lastPipe) !== undefined,
      style: isBracket ? 'bracket' : isTag ? 'tag' : 'certain',
      isUpperCase: written === written.toUpperCase(),
    };
  });
}

/** End of a text that may be the beginning of a mark. */
const partialMark = new RegExp(
  [
    `<(?:[a-z]{1,16}:)?/?${name}\\s[^<>]{0,200}$`,
    `<[|｜]channel>\\s{0,9}[a-z_-]{0,30}$`,
    `[<＜][|｜]?\\s?/?[\\p{L}\\p{N}:_▁｜|-]{0,40}$`,
    `\\[/?[a-z_]{0,20}$`,
    `◁[^▷\\s]{0,30}$`,
  ].join('|'),
  'iu',
);

/** Cuts off the end of a text that still grows if a mark may begin there. */
export function withoutPartialMark(text: string): string {
  return text.replace(partialMark, '');
}
