import { createGit } from '../shared/git/git.ts';
import { hostSimulator } from '../shared/host-simulator.ts';
import { createTraffic } from '../shared/simulator-options.ts';
import { addProject } from './add-project.ts';
import { createCiControls } from './ci/ci-controls.ts';
import { gitAddresses } from './git-access/handle-git.ts';
import {
  type GitLabSimulator,
  type GitLabSimulatorOptions,
  gitLabFailureKinds,
  type SimulatedAccessToken,
} from './gitlab-simulator.ts';
import { handleRequest } from './handle-request.ts';
import { createRateLimits } from './http/rate-limits.ts';
import { createPeople } from './people.ts';
import { createReviewControls } from './reviews/review-controls.ts';
import { allRoutes } from './routes/all-routes.ts';
import { addUpload } from './routes/upload-routes.ts';
import type { Simulation } from './simulation.ts';
import { accessLevels } from './state/access.ts';
import { createState } from './state/create-state.ts';
import type { State, Token } from './state/model.ts';
import { deleteProject, moveProject, seededProject, setAccess } from './state/projects.ts';
import { addAccessToken, addToken, revokeToken, rotateToken, seededToken } from './state/tokens.ts';
import { addUser, deleteUser } from './state/users.ts';
import { composeDelivery } from './webhooks/compose-delivery.ts';

/** Starts a GitLab on 127.0.0.1 that the real gitbeaker and the real git can talk to. Close it when done. */
export async function startGitLabSimulator(options: GitLabSimulatorOptions = {}): Promise<GitLabSimulator> {
  const { simulation, url, close } = await hostSimulator({
    folderPrefix: 'gitlab-simulator-',
    listening: options,
    create: (folder, closing) => createSimulation(folder, options, closing),
    handle: handleRequest,
  });
  return {
    url: url + simulation.root,
    requests: simulation.requests,
    ...createControls(simulation),
    ...createPeople(simulation),
    reviews: createReviewControls(simulation),
    ci: createCiControls(simulation),
    composeDelivery: (happening, token) =>
      composeDelivery(simulation.state, happening, { token, web: url + simulation.root }),
    close,
  };
}

function createSimulation(folder: string, options: GitLabSimulatorOptions, closing: AbortSignal): Simulation {
  const { now = Date.now, notesPerMinute = 300, relativeUrlRoot = '' } = options;
  const { tier = 'free', maxNoteCharacters = 1_000_000 } = options;
  const { maxCountedRecords = 10_000, eventsAsNotes = false } = options;
  const state = createState({ now, tier, maxNoteCharacters, maxCountedRecords, eventsAsNotes });
  return {
    ...createTraffic(options, closing, {
      kinds: gitLabFailureKinds,
      addresses: [...allRoutes, ...gitAddresses],
      names: () => namesOf(state),
    }),
    state,
    git: createGit(folder),
    limits: createRateLimits({ now, notesPerMinute }),
    root: relativeUrlRoot.replace(/\/+$/, ''),
  };
}

function namesOf({ users, projects }: State): Iterable<string> {
  const paths = [...projects.values()].map(({ path }) => path);
  return [...users.values()]
    .map(({ username }) => username)
    .concat(
      paths,
      paths.flatMap((path) => path.split('/')),
    );
}

type Controls = Pick<
  GitLabSimulator,
  | 'addUser'
  | 'deleteUser'
  | 'addToken'
  | 'addAccessToken'
  | 'rotateToken'
  | 'revokeToken'
  | 'addProject'
  | 'deleteProject'
  | 'moveProject'
  | 'archiveProject'
  | 'setAccess'
  | 'upload'
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
    addAccessToken: (seed) => showAccessToken(addAccessToken(state, seed)),
    rotateToken: (token, expiresAt) =>
      showAccessToken(rotateToken(state, seededToken(state, token), expiresAt)),
    revokeToken: (token, reason = 'unknown') => revokeToken(state, token, reason),
    addProject: async (seed) => (await addProject(simulation, seed)).id,
    deleteProject: (project) => deleteProject(state, projectOf(project)),
    moveProject: (project, path) => moveProject(state, projectOf(project), path),
    archiveProject: (project, { archived = true } = {}) => {
      projectOf(project).archived = archived;
    },
    setAccess: (path, username, level) => setAccess(state, path, { username, level }),
    upload: (file) => addUpload(state, file),
    protectBranch: (project, branch, push = 'no-one') =>
      void projectOf(project).protectedBranches.set(branch, push === 'no-one' ? null : accessLevels[push]),
    unprotectBranch: (project, branch) => void projectOf(project).protectedBranches.delete(branch),
    gitDirectory: (project) => projectOf(project).gitDirectory,
    fail: failures.add,
    setRateLimit: limits.set,
  };
}

function showAccessToken({ secret, id, user, expiresAt }: Token): SimulatedAccessToken {
  return { token: secret, id, username: user.username, expiresAt };
}
