import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGit } from '../github/git/git.ts';
import { serveExchange } from '../shared/http/exchange.ts';
import { createFailures } from '../shared/http/failures.ts';
import { startLoopbackServer } from '../shared/http/loopback-server.ts';
import { addProject } from './add-project.ts';
import type { GitLabSimulator, GitLabSimulatorOptions } from './gitlab-simulator.ts';
import { answer, usernameOf } from './http/answer.ts';
import { createRateLimits } from './http/rate-limits.ts';
import { createPeople } from './people.ts';
import type { Simulation } from './simulation.ts';
import { accessLevels } from './state/access.ts';
import { createState } from './state/create-state.ts';
import { deleteProject, moveProject, seededProject, setAccess } from './state/projects.ts';
import { addToken, addUser, deleteUser, revokeToken } from './state/users.ts';

/** Starts a GitLab on 127.0.0.1 that the real gitbeaker and the real git can talk to. Close it when done. */
export async function startGitLabSimulator(options: GitLabSimulatorOptions = {}): Promise<GitLabSimulator> {
  const folder = await mkdtemp(join(tmpdir(), 'gitlab-simulator-'));
  const closing = new AbortController();
  const simulation = createSimulation(folder, { ...options, closing: closing.signal });
  const server = await startLoopbackServer(options.port ?? 0, (incoming, outgoing) =>
    serveExchange(
      {
        ...simulation,
        loginOf: (request) => usernameOf(simulation, request),
        answer: (exchange) => answer(simulation, exchange),
        commonHeaders: () => commonHeaders(simulation),
      },
      incoming,
      outgoing,
    ),
  );
  return {
    url: server.url + simulation.root,
    requests: simulation.requests,
    ...createControls(simulation),
    ...createPeople(simulation),
    close: async () => {
      closing.abort();
      simulation.git.stop();
      await server.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function createSimulation(
  folder: string,
  options: GitLabSimulatorOptions & { readonly closing: AbortSignal },
): Simulation {
  const { now = Date.now, notesPerMinute = 300, onRequest = () => {}, closing } = options;
  const {
    tier = 'free',
    maxNoteCharacters = 1_000_000,
    maxCountedRecords = 10_000,
    eventsAsNotes = false,
  } = options;
  return {
    state: createState({ now, tier, maxNoteCharacters, maxCountedRecords, eventsAsNotes }),
    git: createGit(folder),
    limits: createRateLimits({ now, notesPerMinute }),
    failures: createFailures(),
    requests: [],
    onRequest,
    closing,
    root: (options.relativeUrlRoot ?? '').replace(/\/+$/, ''),
  };
}

type Controls = Pick<
  GitLabSimulator,
  | 'addUser'
  | 'deleteUser'
  | 'addToken'
  | 'revokeToken'
  | 'addProject'
  | 'deleteProject'
  | 'moveProject'
  | 'setAccess'
  | 'protectBranch'
  | 'unprotectBranch'
  | 'gitDirectory'
  | 'fail'
  | 'setRateLimit'
>;

function createControls(simulation: Simulation): Controls {
  const { state, failures, limits } = simulation;
  const projectOf = (project: string) => seededProject(state, project);
  return {
    addUser: (user) => addUser(state, user).id,
    deleteUser: (username) => deleteUser(state, username),
    addToken: (token) => void addToken(state, token),
    revokeToken: (token, reason = 'unknown') => revokeToken(state, token, reason),
    addProject: async (seed) => (await addProject(simulation, seed)).id,
    deleteProject: (project) => deleteProject(state, projectOf(project)),
    moveProject: (project, path) => moveProject(state, projectOf(project), path),
    setAccess: (path, username, level) => setAccess(state, path, { username, level }),
    protectBranch: (project, branch, push = 'no-one') =>
      void projectOf(project).protectedBranches.set(branch, push === 'no-one' ? null : accessLevels[push]),
    unprotectBranch: (project, branch) => void projectOf(project).protectedBranches.delete(branch),
    gitDirectory: (project) => projectOf(project).gitDirectory,
    fail: failures.add,
    setRateLimit: limits.set,
  };
}

let served = 0;

function commonHeaders({ state }: Simulation): Record<string, string> {
  served += 1;
  return {
    date: new Date(state.now()).toUTCString(),
    server: 'nginx',
    'cache-control': 'max-age=0, private, must-revalidate',
    'x-content-type-options': 'nosniff',
    'x-request-id': `01${served.toString(32).toUpperCase().padStart(24, '0')}`,
    vary: 'Origin',
  };
}
