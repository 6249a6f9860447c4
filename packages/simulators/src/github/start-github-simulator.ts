import { createGit } from '../shared/git/git.ts';
import { hostSimulator } from '../shared/host-simulator.ts';
import { createTraffic } from '../shared/simulator-options.ts';
import {
  addRepository,
  deleteRepository,
  moveRepository,
  protectBranch,
  setRuleset,
} from './add-repository.ts';
import { createAppControls } from './apps/app-controls.ts';
import { createCiControls } from './checks/ci-controls.ts';
import { type GitHubSimulator, type GitHubSimulatorOptions, gitHubFailureKinds } from './github-simulator.ts';
import { handleRequest } from './handle-request.ts';
import { addUpload } from './http/answer-upload.ts';
import { gitAddresses } from './http/handle-git.ts';
import { createRateLimits, documentedSecondaryLimits } from './http/rate-limits.ts';
import { createPeople } from './people.ts';
import { createReviewControls } from './reviews/review-controls.ts';
import { allRoutes } from './routes/all-routes.ts';
import type { Simulation } from './simulation.ts';
import { createState } from './state/create-state.ts';
import type { State } from './state/model.ts';
import { seededRepository } from './state/repositories.ts';
import { addToken, addUser, deleteUser } from './state/users.ts';
import { composeDelivery } from './webhooks/compose-delivery.ts';

/** Starts a GitHub on 127.0.0.1 that the real Octokit and the real git can talk to. Close it when done. */
export async function startGitHubSimulator(options: GitHubSimulatorOptions = {}): Promise<GitHubSimulator> {
  const { simulation, url, close } = await hostSimulator({
    folderPrefix: 'github-simulator-',
    listening: options,
    create: (folder, closing) => createSimulation(folder, options, closing),
    handle: handleRequest,
  });
  return {
    url,
    requests: simulation.requests,
    ...createControls(simulation),
    ...createPeople(simulation),
    upload: (file) => url + addUpload(simulation.state, file),
    ci: createCiControls(simulation),
    apps: createAppControls(simulation.state),
    reviews: createReviewControls(simulation),
    composeDelivery: (happening, secret) =>
      composeDelivery(simulation, happening, { secret, urls: { api: url, web: url } }),
    close,
  };
}

function createSimulation(root: string, options: GitHubSimulatorOptions, closing: AbortSignal): Simulation {
  const {
    now = Date.now,
    maxBodyCharacters = 65_536,
    maxTreeEntries = 100_000,
    mergeabilityMs = 0,
  } = options;
  const state = createState({ now, maxBodyCharacters, maxTreeEntries, mergeabilityMs });
  return {
    ...createTraffic(options, closing, {
      kinds: gitHubFailureKinds,
      addresses: [...allRoutes, ...gitAddresses],
      names: () => namesOf(state),
    }),
    state,
    git: createGit(root),
    limits: createRateLimits({
      now,
      secondary: { ...documentedSecondaryLimits, ...options.secondaryLimits },
    }),
  };
}

function namesOf({ users, repositories }: State): Iterable<string> {
  return [...users.values()]
    .map(({ login }) => login)
    .concat([...repositories.values()].map(({ name }) => name));
}

type Controls = Pick<
  GitHubSimulator,
  | 'addUser'
  | 'deleteUser'
  | 'addToken'
  | 'revokeToken'
  | 'addRepository'
  | 'deleteRepository'
  | 'moveRepository'
  | 'changeRepository'
  | 'protectBranch'
  | 'setRuleset'
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
    moveRepository: (from, to) => moveRepository(simulation, from, to),
    changeRepository: (repo, change) => void Object.assign(seededRepository(state, repo), change),
    protectBranch: (repo, branch) => protectBranch(seededRepository(state, repo), branch),
    setRuleset: (repo, ruleset) => setRuleset(seededRepository(state, repo), ruleset),
    gitDirectory: (repo) => seededRepository(state, repo).gitDirectory,
    fail: failures.add,
    setRateLimit: limits.setPrimary,
  };
}
