import { expect, it } from 'vitest';

import { parseFactsJson, type RunFacts, toFactsJson } from './run-facts.ts';

const facts: RunFacts = {
  kind: 'issue',
  number: 7,
  title: 'T',
  url: 'https://git.example/o/r/issues/7',
  locale: 'en',
  threadId: null,
  threadUpdatedAt: null,
  saidBefore: [{ id: '8', hash: '0123456789abcdef' }],
  assigned: false,
  handover: {
    by: { id: '1', login: 'alice', kind: 'person' },
    at: '2026-03-01T10:00:00Z',
    head: 'abc',
    commentId: '9',
  },
  belongsTo: null,
  unanswered: ['12'],
  repository: null,
};

it('reads back who gave a thread to the agent [NX-21]', () => {
  const json = toFactsJson(facts);
  expect(parseFactsJson(JSON.parse(JSON.stringify(json)))).toEqual(facts);
});
