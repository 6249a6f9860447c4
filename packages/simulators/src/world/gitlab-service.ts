import { z } from 'zod';
import { gitLabFailureKinds, type SimulatedReference, startGitLabSimulator } from '../gitlab/index.ts';
import type { ListenOptions } from '../shared/listen.ts';
import {
  failStrictly,
  files,
  parseStrictly,
  plantEach,
  type Service,
  toForgeFaultSchema,
} from './service.ts';

const text = z.string().min(1);

const faultSchema = toForgeFaultSchema(gitLabFailureKinds);

const level = z.enum(['guest', 'planner', 'reporter', 'developer', 'maintainer', 'owner']);

const threadFields = {
  project: text,
  author: text,
  title: text,
  description: z.string().nullish(),
  labels: z.array(text).optional(),
  labeledBy: text.optional(),
  assignees: z.array(text).optional(),
};

const userSchema = z.preprocess(
  (data) => (typeof data === 'string' ? { username: data } : data),
  z.strictObject({ username: text, name: z.string().optional(), bot: z.boolean().optional() }),
);

/** `#3` is an issue, `!3` a merge request. */
const referenceSchema = z.custom<SimulatedReference>(
  (data) => typeof data === 'string' && /^[#!]\d+$/.test(data),
  'a reference such as "#3" (an issue) or "!3" (a merge request)',
);

/** Section `gitlab` of a world, in the order in which it is planted. */
export const gitLabWorldSchema = z.strictObject({
  relativeUrlRoot: z.string().startsWith('/').optional(),
  tier: z.enum(['free', 'premium']).optional(),
  users: z.array(userSchema).optional(),
  tokens: z
    .array(
      z.strictObject({
        token: text,
        username: text,
        scopes: z
          .array(
            z.enum(['api', 'read_api', 'read_user', 'read_repository', 'write_repository', 'self_rotate']),
          )
          .optional(),
        name: z.string().optional(),
        expiresAt: z.iso.date().nullish(),
      }),
    )
    .optional(),
  projects: z
    .array(
      z.strictObject({
        path: text,
        visibility: z.enum(['public', 'internal', 'private']).optional(),
        files: files.nullish(),
        members: z.record(z.string(), level).optional(),
        forkOf: text.optional(),
        issuesEnabled: z.boolean().optional(),
        mergeRequestsEnabled: z.boolean().optional(),
      }),
    )
    .optional(),
  pushes: z.array(z.strictObject({ project: text, branch: text, author: text, files })).optional(),
  issues: z.array(z.strictObject({ ...threadFields, confidential: z.boolean().optional() })).optional(),
  mergeRequests: z
    .array(
      z.strictObject({
        ...threadFields,
        sourceBranch: text,
        targetBranch: text.optional(),
        draft: z.boolean().optional(),
        sourceProject: text.optional(),
        files: files.optional(),
      }),
    )
    .optional(),
  notes: z
    .array(
      z.strictObject({
        project: text,
        reference: referenceSchema,
        author: text,
        body: z.string(),
        internal: z.boolean().optional(),
      }),
    )
    .optional(),
  rateLimit: z.strictObject({ limit: z.int().positive(), remaining: z.int().nonnegative() }).optional(),
  faults: z.array(faultSchema).optional(),
});

/** Starts a GitLab as a section of a world describes it. */
export async function startGitLabService(data: unknown, place: ListenOptions): Promise<Service> {
  const { relativeUrlRoot, tier = 'free', ...seed } = parseStrictly(gitLabWorldSchema, data, 'gitlab');
  const simulator = await startGitLabSimulator({
    port: place.port ?? 0,
    host: place.host ?? '127.0.0.1',
    tier,
    ...(relativeUrlRoot === undefined ? {} : { relativeUrlRoot }),
  });
  const fail = (fault: unknown) =>
    failStrictly(simulator.fail, parseStrictly(faultSchema, fault, 'fault of gitlab'));
  try {
    await plantEach(seed.users, 'gitlab.users', simulator.addUser);
    await plantEach(seed.tokens, 'gitlab.tokens', simulator.addToken);
    await plantEach(seed.projects, 'gitlab.projects', simulator.addProject);
    await plantEach(seed.pushes, 'gitlab.pushes', simulator.push);
    await plantEach(seed.issues, 'gitlab.issues', simulator.openIssue);
    await plantEach(seed.mergeRequests, 'gitlab.mergeRequests', simulator.openMergeRequest);
    await plantEach(seed.notes, 'gitlab.notes', simulator.note);
    if (seed.rateLimit !== undefined) simulator.setRateLimit(seed.rateLimit);
    await plantEach(seed.faults, 'gitlab.faults', fail);
  } catch (error) {
    await simulator.close();
    throw error;
  }
  return { url: simulator.url, requests: () => simulator.requests, fail, close: simulator.close };
}
