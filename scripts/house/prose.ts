import { lineAt, parseSource } from '../shape/parse-source.ts';
import type { Problem, SourceTree } from '../shape/source-tree.ts';

const FOREIGN_BEGINNING = /^\*[\s*]*(?:What|Who|Whose|Whom|Where|Whether|How|Of)\b/;
const BRITISH =
  /(?:normal|summar|organ|recogn|initial|serial|sanit|author|categor|priorit|minim|maxim|optim|real|util|emphas|apolog|capital|general|special|custom|final|local|central|token|stabil|visual|synchron|critic|standard|modern|memor|material)is(?:e|ed|es|er|ers|ing|ation|ations)\b|(?:behavi|col|fav|hon|lab|neighb|rum|harb)our|\b(?:labell(?!edby)|cancell(?!ation|ed')|travell|modell|signall|fulfil(?:s|ment)\b|catalogue|centre|grey|analyse|licence|defence|offence|programme)/i;

/** Docstrings whose first word makes a question or a fragment of them; they begin with a verb or a noun. */
export function findForeignBeginnings(sources: SourceTree): readonly Problem[] {
  return [...sources].flatMap(([path, text]) =>
    parseSource(path, text)
      .comments.filter(({ type, value }) => type === 'Block' && FOREIGN_BEGINNING.test(value))
      .map(({ start }) => ({
        path: `${path}:${lineAt(text, start)}`,
        message: 'begin it with a verb or a noun',
      })),
  );
}

/** Lines with a British spelling, each once; `'cancelled'` in quotes is a state that vendors write so. */
export function findBritishSpellings(sources: SourceTree): readonly Problem[] {
  return [...sources].flatMap(([path, text]) =>
    text.split('\n').flatMap((line, index) => {
      const word = BRITISH.exec(line.replaceAll(/([a-z])([A-Z])/g, '$1 $2'))?.[0];
      return word === undefined
        ? []
        : [{ path: `${path}:${index + 1}`, message: `write ${word} the American way` }];
    }),
  );
}
