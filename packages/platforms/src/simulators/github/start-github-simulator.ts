import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { addRepository, deleteRepository, protectBranch } from './add-repository.ts';
import { createGit } from './git/git.ts';
import type { GitHubSimulator, GitHubSimulatorOptions } from './github-simulator.ts';
import { createFailures } from './http/failures.ts';
import { handleRequest } from './http/handle-request.ts';
import { createRateLimits, documentedSecondaryLimits } from './http/rate-limits.ts';
import { createPeople } from './people.ts';
import type { Simulation } from './simulation.ts';
import { createState } from './state/create-state.ts';
import { seededRepository } from './state/repositories.ts';
import { addToken, addUser, deleteUser } from './state/users.ts';

/** Starts a GitHub on 127.0.0.1 that the real Octokit and the real git can talk to. Close it when done. */
export async function startGitHubSimulator(options: GitHubSimulatorOptions = {}): Promise<GitHubSimulator> {
  const root = await mkdtemp(join(tmpdir(), 'github-simulator-'));
  const closing = new AbortController();
  const simulation = createSimulation(root, { ...options, closing: closing.signal });
  const server = createServer((incoming, outgoing) => {
    handleRequest(simulation, incoming, outgoing).catch(() => outgoing.destroy());
  });
  // A connection that the server closes just as a client uses it again would look like a failure that nobody asked for.
  server.keepAliveTimeout = 0;
  await listen(server, options.port ?? 0).catch(async (error: unknown) => {
    await rm(root, { recursive: true });
    throw error;
  });

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: simulation.requests,
    ...createControls(simulation),
    ...createPeople(simulation),
    close: async () => {
      closing.abort();
      server.closeAllConnections();
      await simulation.git.stop();
      await new Promise((resolve) => server.close(resolve));
      await rm(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function createSimulation(
  root: string,
  options: GitHubSimulatorOptions & { readonly closing: AbortSignal },
): Simulation {
  const {
    now = Date.now,
    sleep = (milliseconds, signal) => wait(milliseconds, undefined, { signal }),
    maxBodyCharacters = 65_536,
    maxTreeEntries = 100_000,
    onRequest = () => {},
  } = options;
  return {
    state: createState({ now, maxBodyCharacters, maxTreeEntries }),
    git: createGit(root),
    limits: createRateLimits({
      now,
      secondary: { ...documentedSecondaryLimits, ...options.secondaryLimits },
    }),
    failures: createFailures(),
    requests: [],
    onRequest,
    sleep,
    closing: options.closing,
  };
}

type Controls = Pick<
  GitHubSimulator,
  | 'addUser'
  | 'deleteUser'
  | 'addToken'
  | 'revokeToken'
  | 'addRepository'
  | 'deleteRepository'
  | 'protectBranch'
  | 'gitDirectory'
  | 'fail'
  | 'setRateLimit'
>;

function createControls(simulation: Simulation): Controls {
  const { state, failures, limits } = simulation;
  return {
    addUser: (user) => void addUser(state, user),
    deleteUser: (login, shown) => deleteUser(state, login, shown?.as ?? 'ghost'),
    addToken: (token) => void addToken(state, token),
    revokeToken: (token) => void state.tokens.delete(token),
    addRepository: (repository) => addRepository(simulation, repository),
    deleteRepository: (repo) => deleteRepository(state, repo),
    protectBranch: (repo, branch) => protectBranch(seededRepository(state, repo), branch),
    gitDirectory: (repo) => seededRepository(state, repo).gitDirectory,
    fail: failures.add,
    setRateLimit: limits.setPrimary,
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
}
