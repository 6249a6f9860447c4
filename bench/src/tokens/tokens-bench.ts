import { estimateTokens } from '@agent/text';
import type { Bench } from '../report.ts';
import { hostileTexts } from './hostile-texts.ts';
import { measureBudget } from './measure-budget.ts';
import { measureEstimate, measureStall } from './measure-estimate.ts';
import { readCorpora } from './read-corpora.ts';
import { safetyFactor, toTokensReport } from './tokens-report.ts';

/** How near the default estimate of tokens comes, how fast it is, what it does with hostile texts, and whether budgets hold. */
export const tokensBench: Bench = {
  name: 'tokens',
  run: async ({ onProgress }) => {
    // Loading a vocabulary takes a while and 70 MB, which no other bench should have.
    const { countTokens } = await import('./count-tokens.ts');
    const corpora = readCorpora();
    const estimates = corpora.map((corpus) => {
      onProgress(corpus.name);
      const estimate = (text: string) => estimateTokens(text) / safetyFactor;
      return measureEstimate(corpus, { estimate, count: countTokens });
    });
    onProgress('hostile comments');
    const stalls = Object.entries(hostileTexts).map(([name, text]) => {
      return { name, milliseconds: measureStall(() => estimateTokens(text)) };
    });
    onProgress('budgets');
    const budgets = await Promise.all(corpora.map((corpus) => measureBudget(corpus, countTokens)));
    return toTokensReport({ estimates, stalls, budgets });
  },
};
