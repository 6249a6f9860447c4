// @module-tag release
import { describe, expect, it } from 'vitest';
import { type Failure, failIn, listCells, playCell } from '../support/fault-cells.ts';
import type { ForgeName } from '../support/forge.ts';
import { sampleOf } from '../support/samples.ts';

const refusals: Readonly<Record<ForgeName, Readonly<Record<string, Failure>>>> = {
  github: {
    '403 without words': { kind: 'refused', status: 403 },
    '403 archived': { kind: 'archived' },
    '403 locked': { kind: 'locked' },
    '403 single sign-on': { kind: 'sso-required' },
    '409': { kind: 'refused', status: 409 },
    '422 submitted too quickly': { kind: 'submitted-too-quickly' },
    '429 without a time': { kind: 'refused', status: 429 },
    '429 of Cloudflare': { kind: 'cloudflare-1015' },
    '429 with Retry-After': { kind: 'secondary-limit', status: 429, retryAfterSeconds: 30 },
    '502 as a page': { kind: 'bad-gateway-html' },
  },
  gitlab: {
    '403 without words': { kind: 'refused', status: 403 },
    '403 archived': { kind: 'forbidden' },
    '409': { kind: 'refused', status: 409 },
    '409 resource lock': { kind: 'resource-lock' },
    '429 without a time': { kind: 'refused', status: 429 },
    '429 of Cloudflare': { kind: 'cloudflare-1015' },
    '429 with Retry-After': { kind: 'rate-limit', retryAfterSeconds: 30 },
    '502 as a page': { kind: 'bad-gateway-html' },
  },
};

/** Answers to a write that succeeded: once is enough. */
const losses: Readonly<Record<string, Failure>> = {
  'an answer that comes late': { kind: 'slow', delayMs: 1_500 },
  'a write that acted and whose answer is lost': { kind: 'reset-after-effect' },
};

/** More than one request is repeated at once. */
const times = 5;
/** Half an hour of a daemon whose waits are a hundred times shorter. */
const forMs = 18_000;

/** Before a release each refusal lasts half an hour at each write; otherwise one does, since a cell takes a minute. */
const lasting: ReadonlySet<string> = new Set(['429 with Retry-After']);

/** With the runs in a database, a push and a comment. */
const sample: ReadonlySet<string> = new Set([
  '403 archived, the final comment',
  '403 single sign-on, the push',
]);
const isSample = ({ row, name, forge }: { readonly [Key in 'row' | 'name' | 'forge']: string }): boolean =>
  forge === 'github' && sample.has(`${row}, ${name}`);
const options = { timeout: 240_000, concurrent: true };

describe('a run', () => {
  const rows = {
    github: { ...refusals.github, ...losses },
    gitlab: { ...refusals.gitlab, ...losses },
  };
  it.for(listCells(rows, isSample))(
    'on $forge that meets $row at $name continues, and ends with everything once',
    options,
    async (cell, { onTestFinished }) => {
      const count = Object.values(losses).includes(cell.fault) ? 1 : times;
      await playCell(cell, {
        meet: ({ world }) => failIn(world, { ...cell, fault: { ...cell.fault, times: count } }),
        onTestFinished,
      });
    },
  );

  it.for(sampleOf(listCells(refusals), ({ row }) => lasting.has(row)))(
    'on $forge outlasts 30 minutes of $row at $name, logs the reason, and ends with everything once',
    options,
    async (cell, { onTestFinished }) => {
      const { output } = await playCell(cell, {
        meet: ({ world }) => failIn(world, { ...cell, fault: { ...cell.fault, forMs } }),
        onTestFinished,
      });
      expect(output()).toMatch(
        /retrying after transient failure|waiting for rate limit|failed to apply outbox entry/,
      );
    },
  );
});
