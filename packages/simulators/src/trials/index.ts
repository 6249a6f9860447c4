export { findPlanted, plantVariable, requirePlaces, type SourceChange } from './plant.ts';
export { type PlayedBug, playBugApart } from './play-bug-apart.ts';
export { type FailingTest, playTests, requireTest } from './play-test.ts';
export { createSeededRandom, type SeededRandom } from './seeded-random.ts';
export {
  type HttpProxy,
  type ProxyAnswer,
  type ProxyExchange,
  type ProxyHandler,
  startHttpProxy,
} from './start-http-proxy.ts';
export {
  type OpenTrials,
  readChoice,
  readCount,
  type SeededBug,
  TrialError,
  type TrialKind,
  type TrialOptions,
  type TrialVerdict,
} from './trial-kind.ts';
