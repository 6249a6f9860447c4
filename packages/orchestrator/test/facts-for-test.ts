import type { RunFacts } from '../src/run/run-facts.ts';

/** Facts of a run on an issue without a repository. */
export function makeFacts(changes: Partial<RunFacts> = {}): RunFacts {
  return {
    ...{ kind: 'issue', number: 1, threadId: null, title: 'x', url: 'https://forge.test/1', locale: 'en' },
    ...{ threadUpdatedAt: null, saidBefore: [], assigned: false, handover: null, unanswered: [] },
    ...{ belongsTo: null, repository: null },
    ...changes,
  };
}
