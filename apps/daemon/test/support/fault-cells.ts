import { isDeepStrictEqual } from 'node:util';
import type { SimulatedFailure } from '@agent/simulators/github';
import type { SimulatedGitLabFailure } from '@agent/simulators/gitlab';
import { expect } from 'vitest';
import { type DaemonProcess, quickWaits, startDaemonProcess } from './daemon-process.ts';
import { fixScript } from './fix-script.ts';
import type { Forge, ForgeName } from './forge.ts';
import type { GitHubForge } from './github-forge.ts';
import type { GitLabForge } from './gitlab-forge.ts';
import { sampleOf } from './samples.ts';
import { until } from './until.ts';
import { startWorld, type World, type WorldOptions } from './world.ts';

/** A failure on demand of one of the platforms. Each kind has its source in the simulators. */
export type Failure = Omit<SimulatedFailure, 'kind'> & {
  readonly kind: (SimulatedFailure | SimulatedGitLabFailure)['kind'];
};

/** Requests of a write, and the moment from which they are meant: the start, the first request to the model, or a review. */
export interface Write {
  readonly method?: 'POST' | 'PUT' | 'PATCH';
  readonly path: RegExp;
  readonly from: 'start' | 'model' | 'review';
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
    'the reply to a reviewer': { method: 'POST', path: /\/comments\/\d+\/replies$/, from: 'review' },
  },
  gitlab: {
    'the claim': { method: 'POST', path: /\/issues\/1\/notes$/, from: 'start' },
    'the first label': { method: 'PUT', path: /\/issues\/1$/, from: 'start' },
    'the status comment': { method: 'PUT', path: /\/notes\/\d+$/, from: 'start' },
    'the push': { path: /git-receive-pack/, from: 'model' },
    'the merge request': { method: 'POST', path: /\/merge_requests$/, from: 'model' },
    'the final comment': { method: 'POST', path: /\/issues\/1\/notes$/, from: 'model' },
    'the last label': { method: 'PUT', path: /\/issues\/1$/, from: 'model' },
    'the reply to a reviewer': { method: 'POST', path: /\/discussions\/\w+\/notes$/, from: 'review' },
  },
};

/** One cell of the table: a row of faults at a write. */
export interface FaultCell<Fault> {
  readonly forge: ForgeName;
  readonly row: string;
  readonly fault: Fault;
  /** Name of the write. */
  readonly name: string;
  readonly write: Write;
}

/** `npm run test:full` tries each row on one of both platforms, and each write. */
const isFull = process.env.TEST_FULL === '1';

/** Lists the cells to try: all of them in `npm run test:release`, in `npm run test:full` a diagonal, in `npm test` the chosen ones. */
export function listCells<Fault>(
  rows: Readonly<Record<ForgeName, Readonly<Record<string, Fault>>>>,
  isChosen: (cell: Pick<FaultCell<Fault>, 'forge' | 'row' | 'name'>) => boolean = () => false,
): readonly FaultCell<Fault>[] {
  const table = (['github', 'gitlab'] as const).flatMap((forge) =>
    Object.entries(rows[forge]).flatMap(([row, fault], line) =>
      Object.entries(writes[forge]).map(([name, write], column) => ({
        ...{ forge, row, fault, name, write },
        isOnDiagonal:
          (line % 2 === 0) === (forge === 'github') &&
          (line + column) % Object.keys(writes[forge]).length === 0,
      })),
    ),
  );
  return sampleOf(table, (cell) => isChosen(cell) || (isFull && cell.isOnDiagonal));
}

/** The simulator of either platform. */
export function simulatorOf(forge: Forge): GitHubForge['simulator'] | GitLabForge['simulator'] {
  return (forge as GitHubForge | GitLabForge).simulator;
}

/** Tells whether a request is one of a write. */
export function isOf(
  { method: only, path: pattern }: Write,
  { method, path }: { readonly method: string; readonly path: string },
): boolean {
  return (only ?? method) === method && pattern.test(path);
}

/** Has requests of the write fail. */
export function failIn(
  { forge }: World,
  { write, fault }: Pick<FaultCell<Failure>, 'write' | 'fault'>,
): void {
  const { from: _, ...request } = write;
  simulatorOf(forge).fail({ ...request, ...fault } as never);
}

export interface CellOptions {
  /** Brings the fault about, once, at the moment from which the write is meant. */
  readonly meet: (story: FaultStory) => void | Promise<void>;
  /** Sections of the configuration that differ. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Runs after the issue is opened, before the daemon starts. */
  readonly prepare?: (story: FaultStory) => Promise<void>;
  /** The clock of the platform. Default: the real one. */
  readonly now?: (() => number) | undefined;
  /** Receives each request (`POST /path`) whose effect is done; its answer waits for it. */
  readonly onRequest?: (label: string, story: FaultStory) => void | Promise<void>;
  readonly onTestFinished: (close: () => Promise<void>) => void;
}

/** A run under way that meets a fault. */
export interface FaultStory {
  readonly world: World;
  /** Everything that its daemons printed. */
  readonly output: () => string;
  /** Kills the daemon and starts another one in its directory. */
  readonly restart: () => Promise<void>;
}

/** Bound on a run that hangs. */
const longestMs = 150_000;

/** Plays a run from its issue to its end, over a fault, and checks that nothing is lost and everything is there once. */
export async function playCell(
  { forge: name, write }: Pick<FaultCell<unknown>, 'forge' | 'write'>,
  { meet, prepare, config, now, onRequest = () => {}, onTestFinished }: CellOptions,
): Promise<FaultStory> {
  const isReviewed = write.from === 'review';
  let isMet = false;
  const meetAt = async (moment: Write['from']): Promise<void> => {
    if (isMet || moment !== write.from) return;
    isMet = true;
    await meet(story);
  };
  const followUp = isReviewed ? { follow_up: { until: 'merged' }, comment_detection: { enabled: true } } : {};
  const world = await startWorld({
    ...{ script: fixScript, forges: [name], now },
    // Requests are budgeted by the clock of the platform, which is not faster: polls leave some to the run.
    config: { poll_interval_seconds: 60, ...followUp, ...config },
    onModelRequest: () => meetAt('model'),
    onForgeRequest: (label) => onRequest(label, story),
  } as WorldOptions);
  const start = () => startDaemonProcess(world.configFile, { flags: [], nodeArguments: quickWaits });
  let [earlier, daemon]: [string, DaemonProcess | null] = ['', null];
  const kill = async (): Promise<void> => {
    daemon?.child.kill('SIGKILL');
    earlier += (await daemon?.exited)?.output ?? '';
    daemon = null;
  };
  const story: FaultStory = {
    world,
    output: () => earlier + (daemon?.output() ?? ''),
    restart: async () => {
      await kill();
      daemon = start();
    },
  };
  onTestFinished(async () => {
    await kill();
    await world.close();
  });
  const { forge } = world;
  forge.openIssue({ ...issueSeed });
  await prepare?.(story);
  await meetAt('start');
  daemon = start();
  if (isReviewed) {
    const request = await untilFound(() => forge.changeRequests()[0]?.reference);
    await meetAt('review');
    await forge.reviewLine(request, { author: 'alice', body: 'Why?', path: 'total.js', line: 1 });
    await untilFound(() => listReplies(forge)[0]);
    forge.merge(request);
  }
  const end = {
    // A run that waits reports its delivery, and then its end.
    finals: isReviewed ? 2 : 1,
    ...{ claims: 1, labels: ['coding agent done'], requests: 1, open: 0 },
    replies: isReviewed ? 1 : 0,
  };
  const isOver = async () => isDeepStrictEqual(await readEnd(world), end);
  await until('the run ends', isOver, { timeoutMs: longestMs }).catch(() => {});
  expect(await readEnd(world), tailOf(story.output())).toEqual(end);
  // Whatever comes late has come after some polls more.
  const polls = forge.pollCount();
  await until('the daemon polls', () => forge.pollCount() > polls + 2);
  expect(await readEnd(world)).toEqual(end);
  // A fault of a request that is never sent shows nothing.
  expect(simulatorOf(forge).requests.some((request) => isOf(write, request))).toBe(true);
  return story;
}

const issueSeed = {
  title: 'The total is wrong',
  body: 'It forgets the quantity.',
  labels: ['coding agent'],
};

/** Traces that a run leaves on its platform. */
async function readEnd({ forge, runs }: World) {
  const { comments, statusComments, labels } = forge.thread('#1');
  return {
    finals: comments.filter(({ body }) => /Task completed/.test(body)).length,
    claims: statusComments.length,
    labels,
    requests: forge.changeRequests().length,
    replies: listReplies(forge).length,
    open: (await Promise.all((['running', 'paused'] as const).map((place) => runs.list(place)))).flat()
      .length,
  };
}

/** The last messages of a log. */
function tailOf(output: string): string {
  const messages = [...output.matchAll(/"msg":"([^"]*)"/g)].map(([, message]) => message);
  return messages
    .filter((message, index) => message !== messages[index - 1])
    .slice(-20)
    .join('\n');
}

function listReplies(forge: Forge): readonly string[] {
  const replies = forge
    .changeRequests()
    .flatMap(({ reference }) => forge.reviewThreads(reference).flatMap((comments) => comments.slice(1)));
  return replies.map(({ body }) => body);
}

async function untilFound<T>(find: () => T | undefined): Promise<T> {
  let found: T | undefined;
  await until(
    'it is there',
    () => {
      found = find();
      return found !== undefined;
    },
    { timeoutMs: longestMs },
  );
  return found as T;
}
