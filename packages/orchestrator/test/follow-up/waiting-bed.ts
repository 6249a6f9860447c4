import type { Platform, TaskKey } from '@agent/platforms';
import { createGitHubPlatform } from '@agent/platforms/github';
import { createGitLabPlatform } from '@agent/platforms/gitlab';
import type { RunState } from '@agent/run-store';
import { startGitHubSimulator } from '@agent/simulators/github';
import { startGitLabSimulator } from '@agent/simulators/gitlab';
import { parseRunSettings } from '../../src/config/index.ts';
import { createCommentFeeds } from '../../src/connection/connect-platforms.ts';
import { writeFollowUp } from '../../src/follow-up/follow-up-record.ts';
import { withFollowedRequest } from '../../src/follow-up/followed-request.ts';
import { openRestingRequest } from '../../src/follow-up/resting-request.ts';
import { openRequestWatch } from '../../src/follow-up/watch-request.ts';
import type { RunLogger } from '../../src/host/ports.ts';
import { type ConfiguredPlatform, openRunThread } from '../../src/run/run-thread.ts';
import { openMemoryOutbox } from '../memory-outbox.ts';

/** A forge with change requests whose checks have passed. */
export interface WaitingForge {
  readonly platform: Platform;
  /** Routes of the requests so far, oldest first, and how each was answered. */
  readonly requests: () => readonly { readonly path: string; readonly status: number }[];
  /** Opens an issue and the change request for it, whose checks have passed. */
  readonly open: (name: string) => Promise<WaitingRequest>;
  /** Ends a check of this change request. */
  readonly check: (at: WaitingRequest, conclusion: 'success' | 'failure') => Promise<void>;
  readonly review: (at: WaitingRequest) => Promise<void>;
  readonly merge: (at: WaitingRequest) => void;
  /** Answers the next list of changes in the repository with 503. */
  readonly failListing: () => void;
  /** Moves the clock of all. */
  readonly pass: (milliseconds: number) => void;
  readonly now: () => number;
  readonly close: () => Promise<void>;
}

/** An issue, and the change request for it. */
export interface WaitingRequest {
  readonly key: TaskKey;
  readonly number: number;
}

const place = 'owner/demo';
const start = Date.UTC(2026, 4, 1);

/** Starts GitHub. */
export async function startWaitingGitHub(): Promise<WaitingForge> {
  let time = start;
  const now = () => time;
  const secondaryLimits = { pointsPerMinute: 1e6, contentPerMinute: 1e6, contentPerHour: 1e6 };
  const simulator = await startGitHubSimulator({ now, secondaryLimits });
  for (const login of ['owner', 'agent', 'alice']) simulator.addUser({ login });
  simulator.addToken({ token: 'agent-token', login: 'agent' });
  const collaborators = { agent: 'write', alice: 'write' } as const;
  await simulator.addRepository({
    owner: 'owner',
    name: 'demo',
    collaborators,
    files: { 'README.md': 'one\n' },
  });
  const platform = createGitHubPlatform({
    ...{ token: 'agent-token', baseUrl: simulator.url, repositories: [place], now },
    ...{ writeSpacingMs: 0, recheckDelayMs: 0, readRetries: 0 },
  });
  const check: WaitingForge['check'] = async ({ number }, conclusion) => {
    const pull: TaskKey = { type: 'github_pull_request', owner: 'owner', repo: 'demo', number };
    const head = await platform.openReview?.(pull)?.checks.readHead();
    await simulator.ci.report(place, head ?? '', toCheck(conclusion));
  };
  return {
    ...{ platform, check, now },
    requests: () => simulator.requests,
    open: async (name) => {
      const issue = simulator.openIssue({ repo: place, author: 'owner', title: name });
      const pull = { repo: place, author: 'agent', title: name, headBranch: name, files: { [name]: name } };
      const { number } = await simulator.openPullRequest(pull);
      const opened: WaitingRequest = {
        key: { type: 'github_issue', owner: 'owner', repo: 'demo', number: issue.number },
        number,
      };
      await check(opened, 'success');
      return opened;
    },
    review: async ({ number }) => {
      const review = { repo: place, number, author: 'alice', body: 'Plus, please.' };
      await simulator.reviews.submit({ ...review, event: 'REQUEST_CHANGES' });
    },
    merge: ({ number }) => void simulator.closeThread(place, number, { merged: true }),
    failListing: () => simulator.fail({ kind: 'server-error', path: /\/pulls\?/u }),
    pass: (milliseconds) => {
      time += milliseconds;
    },
    close: simulator.close,
  };
}

/** Starts GitLab. */
export async function startWaitingGitLab(): Promise<WaitingForge> {
  let time = start;
  const now = () => time;
  const simulator = await startGitLabSimulator({ now });
  for (const username of ['owner', 'agent', 'alice']) simulator.addUser({ username });
  simulator.addToken({ token: 'agent-token', username: 'agent' });
  const members = { agent: 'developer', alice: 'developer' } as const;
  const projectId = String(
    await simulator.addProject({ path: place, members, files: { 'README.md': 'one\n' } }),
  );
  const platform = createGitLabPlatform({
    ...{ token: 'agent-token', baseUrl: simulator.url, projects: [place], now },
    ...{ writeSpacingMs: 0, recheckDelayMs: 0, readRetries: 0, maxRequestsPerMinute: 100_000 },
  });
  const check: WaitingForge['check'] = async ({ number: mrIid }, conclusion) => {
    const merge: TaskKey = { type: 'gitlab_merge_request', projectId, mrIid };
    const head = await platform.openReview?.(merge)?.checks.readHead();
    await simulator.ci.report(place, head ?? '', toCheck(conclusion));
  };
  return {
    ...{ platform, check, now },
    requests: () => simulator.requests,
    open: async (name) => {
      const { iid: issueIid } = simulator.openIssue({ project: place, author: 'owner', title: name });
      const merge = { project: place, author: 'agent', title: name, sourceBranch: name };
      const { iid: number } = await simulator.openMergeRequest({ ...merge, files: { [name]: name } });
      const opened: WaitingRequest = { key: { type: 'gitlab_issue', projectId, issueIid }, number };
      await check(opened, 'success');
      return opened;
    },
    review: async ({ number }) => simulator.reviews.requestChanges(place, `!${number}`, 'alice'),
    merge: ({ number }) => simulator.closeThread(place, `!${number}`, { merged: true }),
    failListing: () => simulator.fail({ kind: 'server-error', path: /\/merge_requests\?/u }),
    pass: (milliseconds) => {
      time += milliseconds;
    },
    close: simulator.close,
  };
}

const toCheck = (conclusion: 'success' | 'failure') =>
  ({ name: 'test', conclusion, log: 'found -1' }) as const;

/** A run that waits for its change request, as its listener polls it. */
export interface WaitingRun extends WaitingRequest {
  /** Ids of what it has heard so far. */
  readonly heard: Set<string>;
  /** Polls once. @returns whether the run is to go on */
  readonly poll: () => Promise<boolean>;
  readonly close: () => void;
}

/** Opens the change requests of so many runs, and all of them on one credential. */
export async function openWaitingRuns(forge: WaitingForge, count: number): Promise<readonly WaitingRun[]> {
  const { platform, now } = forge;
  const feeds = createCommentFeeds({ now }, { pollClock: now });
  const openSource = feeds.openOn(platform);
  // Nothing else of it is needed to listen.
  const configured = { platform, openSource } as ConfiguredPlatform;
  const runs: WaitingRun[] = [];
  while (runs.length < count)
    runs.push(await openWaitingRun(forge, { configured, name: `run-${runs.length}` }));
  return runs;
}

async function openWaitingRun(
  { open, now }: WaitingForge,
  { configured, name }: { readonly configured: ConfiguredPlatform; readonly name: string },
): Promise<WaitingRun> {
  const request = await open(name);
  const state = createState();
  await writeFollowUp(state, {
    ...{ number: request.number, isWaiting: true, deadline: new Date(now() + 1e9).toISOString() },
    ...{ wish: 0, isWoken: false, round: 0, rounds: [], comment: '', end: null },
    outcome: 'completed',
    reason: null,
    errorClass: null,
    delivery: { branch: name, commit: null, changeRequest: null, changedFiles: [] },
  });
  const { ports, comments } = openRunThread(configured, request.key);
  const source = withFollowedRequest({ platform: configured, ports, comments }, { state, logger });
  const { follow_up: settings } = parseRunSettings({ follow_up: { until: 'merged' } });
  let resting: ReturnType<typeof openRestingRequest> | null = null;
  const toRequest = (key: TaskKey) => {
    resting = openRestingRequest(configured, key);
    return resting;
  };
  const watch = openRequestWatch(
    { uuid: name, platform: configured, key: request.key, state, outbox: openMemoryOutbox({ now }), logger },
    { settings, now, openRequest: toRequest, doIntent: () => Promise.reject(new Error('nothing is done')) },
  );
  const heard = new Set<string>();
  let cursor: string | null = null;
  return {
    ...{ ...request, heard },
    poll: async () => {
      const listing = await source.listComments({ since: cursor });
      cursor = listing.cursor;
      for (const { id } of listing.comments) heard.add(id);
      return (await watch([])).kind !== 'wait';
    },
    close: () => {
      source.close();
      resting?.close();
    },
  };
}

function createState(): Pick<RunState, 'read' | 'write'> {
  const values = new Map<string, Awaited<ReturnType<RunState['read']>>>();
  return {
    read: async (name) => values.get(name) ?? null,
    write: async (name, value) => void values.set(name, value),
  };
}

const nothing = () => undefined;
const logger: RunLogger = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  child: () => logger,
};
