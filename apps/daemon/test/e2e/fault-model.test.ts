import type { SimulatedFailure } from '@agent/simulators/github';
import type { SimulatedGitLabFailure } from '@agent/simulators/gitlab';
import { afterEach, describe, expect, it } from 'vitest';
import { type DaemonProcess, quickWaits, startDaemonProcess } from '../support/daemon-process.ts';
import { fixScript } from '../support/fix-script.ts';
import type { ForgeName } from '../support/forge.ts';
import type { GitHubForge } from '../support/github-forge.ts';
import type { GitLabForge } from '../support/gitlab-forge.ts';
import { sampleOf } from '../support/samples.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World | null = null;
let daemon: DaemonProcess | null = null;
afterEach(async () => {
  daemon?.child.kill('SIGKILL');
  await daemon?.exited;
  await world?.close();
  [world, daemon] = [null, null];
});

/** A row of the fault model: what the platform does to a write. Each answer has its source at its kind in the simulators. */
type Row = Omit<SimulatedFailure, 'kind'> & {
  readonly kind: (SimulatedFailure | SimulatedGitLabFailure)['kind'];
};

const common: Readonly<Record<string, Row>> = {
  '403 without words': { kind: 'refused', status: 403 },
  '409': { kind: 'refused', status: 409 },
  '429 without a time': { kind: 'refused', status: 429 },
  '429 of Cloudflare': { kind: 'cloudflare-1015' },
  'an answer that comes late': { kind: 'slow', delayMs: 1_500 },
  'a write that acted and whose answer is lost': { kind: 'reset-after-effect' },
  '502 as a page': { kind: 'bad-gateway-html' },
};

const rows: Readonly<Record<ForgeName, Readonly<Record<string, Row>>>> = {
  github: {
    ...common,
    '403 archived': { kind: 'archived' },
    '403 locked': { kind: 'locked' },
    '403 single sign-on': { kind: 'sso-required' },
    '422 submitted too quickly': { kind: 'submitted-too-quickly' },
    '429 with Retry-After': { kind: 'secondary-limit', status: 429, retryAfterSeconds: 30 },
  },
  gitlab: {
    ...common,
    '403 archived': { kind: 'forbidden' },
    '409 resource lock': { kind: 'resource-lock' },
    '429 with Retry-After': { kind: 'rate-limit', retryAfterSeconds: 30 },
  },
};

/** Requests of a write, and the moment from which they are meant: the beginning, or the first request to the model. */
interface Write {
  readonly method?: 'POST' | 'PUT' | 'PATCH';
  readonly path: RegExp;
  readonly from: 'start' | 'model';
}

const writes: Readonly<Record<ForgeName, Readonly<Record<string, Write>>>> = {
  github: {
    'the claim': { method: 'POST', path: /\/issues\/1\/comments$/, from: 'start' },
    'the first label': { method: 'POST', path: /\/issues\/1\/labels$/, from: 'start' },
    'the status comment': { method: 'PATCH', path: /\/issues\/comments\/\d+$/, from: 'start' },
    'the push': { path: /git-receive-pack/, from: 'model' },
    'the pull request': { method: 'POST', path: /\/pulls$/, from: 'model' },
    'the final comment': { method: 'POST', path: /\/issues\/1\/comments$/, from: 'model' },
    'the last label': { method: 'POST', path: /\/issues\/1\/labels$/, from: 'model' },
  },
  gitlab: {
    'the claim': { method: 'POST', path: /\/issues\/1\/notes$/, from: 'start' },
    'the first label': { method: 'PUT', path: /\/issues\/1$/, from: 'start' },
    'the status comment': { method: 'PUT', path: /\/notes\/\d+$/, from: 'start' },
    'the push': { path: /git-receive-pack/, from: 'model' },
    'the merge request': { method: 'POST', path: /\/merge_requests$/, from: 'model' },
    'the final comment': { method: 'POST', path: /\/issues\/1\/notes$/, from: 'model' },
    'the last label': { method: 'PUT', path: /\/issues\/1$/, from: 'model' },
  },
};

/** More than one request is repeated at once. */
const times = 5;

const table = (['github', 'gitlab'] as const).flatMap((forge) =>
  Object.entries(rows[forge]).flatMap(([row, fault], line) =>
    Object.entries(writes[forge]).map(([name, write], column) => ({
      ...{ forge, row, fault, name, write },
      isOnDiagonal: (line + column) % 4 === 0,
    })),
  ),
);

/** The table takes most of an hour: `FAULT_MODEL=all` tries each cell, `npm run test:full` each row and each write. */
const isWhole = process.env.FAULT_MODEL === 'all';
const cells = table.filter((cell) => isWhole || cell.isOnDiagonal);

/** In `npm test`, a push and a comment. */
const sample: ReadonlySet<string> = new Set([
  '403 archived, the final comment',
  '403 single sign-on, the push',
]);
const isSample = ({ row, name, forge }: (typeof cells)[number]): boolean =>
  forge === 'github' && sample.has(`${row}, ${name}`);

describe('a run', () => {
  it.each(sampleOf(cells, isSample))(
    'on $forge that meets $row at $name goes on, and ends with everything once',
    { timeout: 120_000 },
    async ({ forge: name, fault, write }) => {
      const { from, ...request } = write;
      let isMet = false;
      const meet = () => {
        if (isMet) return;
        isMet = true;
        const { simulator } = at.forge as GitHubForge | GitLabForge;
        // An answer that is late or lost is one of a write that succeeded: once is enough.
        const count = ['slow', 'reset-after-effect'].includes(fault.kind) ? 1 : times;
        simulator.fail({ ...request, ...fault, times: count } as never);
      };
      const at = await startWorld({
        script: fixScript,
        forges: [name],
        config: { poll_interval_seconds: 20 },
        onModelRequest: () => {
          if (from === 'model') meet();
        },
      });
      world = at;
      if (from === 'start') meet();
      at.forge.openIssue({
        title: 'The total is wrong',
        body: 'It forgets the quantity.',
        labels: ['coding agent'],
      });
      daemon = startDaemonProcess(at.configFile, { flags: [], nodeArguments: quickWaits });
      await daemon.printed(/finished task/);
      const { comments, statusComments, labels } = at.forge.thread('#1');
      const finals = comments.filter(({ body }) => /Task completed/.test(body));
      expect({
        finals: finals.length,
        claims: statusComments.length,
        labels,
        requests: at.forge.changeRequests().length,
        running: await at.runs.list('running'),
      }).toEqual({ finals: 1, claims: 1, labels: ['coding agent done'], requests: 1, running: [] });
    },
  );
});
