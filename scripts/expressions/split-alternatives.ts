import { type AST, parseRegExpLiteral } from '@eslint-community/regexpp';

/** A product of more choices stays together. */
const maxVariants = 128;

/**
 * An expression as several without a choice between alternatives: `a(?:b|c)d` takes as long as `abd` and `acd` together, and
 * the automata of many words are large. What repeats without end stays together. Left out is what cannot be slow: nothing in it
 * repeats without end, or one sign does in what begins at the beginning.
 */
export function splitAlternatives(pattern: string, flags: string): readonly string[] {
  const { alternatives } = parseRegExpLiteral(`/${pattern}/${flags}`).pattern;
  return [...new Set(alternatives.flatMap(toVariants))].filter(canBeSlow);
}

function canBeSlow(variant: string): boolean {
  const plain = variant.replace(/\\./gs, '').replace(/\[[^\]]*\]/g, '');
  const endless = plain.match(/[*+]|,\}/g)?.length ?? 0;
  const isPlain = variant.startsWith('^') && !/\)[*+{?]/.test(variant);
  return endless > (isPlain ? 1 : 0);
}

function toVariants({ elements }: AST.Alternative): readonly string[] {
  let variants: readonly string[] = [''];
  for (const element of elements) {
    const choices = toChoices(element);
    const isFew = variants.length * choices.length <= maxVariants;
    const ends = isFew ? choices : [element.raw];
    variants = variants.flatMap((variant) => ends.map((end) => variant + end));
  }
  return variants;
}

function toChoices(element: AST.Element): readonly string[] {
  if (element.type === 'Group' || element.type === 'CapturingGroup')
    return element.alternatives.flatMap(toVariants);
  if (element.type !== 'Quantifier' || element.max !== 1 || element.min !== 0) return [element.raw];
  const { element: inner } = element;
  return inner.type === 'Group' || inner.type === 'CapturingGroup'
    ? ['', ...toChoices(inner)]
    : [element.raw];
}
