import { z } from 'zod';
import { gitHubFailureKinds, startGitHubSimulator } from '../github/index.ts';
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
const limit = z.int().positive();

const faultSchema = toForgeFaultSchema(gitHubFailureKinds);

const issueFields = {
  repo: text,
  author: text,
  title: text,
  body: z.string().nullish(),
  labels: z.array(text).optional(),
  labeledBy: text.optional(),
  assignees: z.array(text).optional(),
};

const userSchema = z.preprocess(
  (data) => (typeof data === 'string' ? { login: data } : data),
  z.strictObject({
    login: text,
    name: z.string().optional(),
    type: z.enum(['User', 'Bot', 'Organization']).optional(),
  }),
);

const permission = z.enum(['none', 'read', 'write']).optional();

/** Section `github` of a world, in the order in which it is planted. */
export const gitHubWorldSchema = z.strictObject({
  secondaryLimits: z
    .strictObject({
      pointsPerMinute: limit.optional(),
      contentPerMinute: limit.optional(),
      contentPerHour: limit.optional(),
    })
    .optional(),
  users: z.array(userSchema).optional(),
  tokens: z
    .array(
      z.strictObject({
        token: text,
        login: text,
        permissions: z
          .strictObject({
            issues: permission,
            pull_requests: permission,
            contents: permission,
            statuses: permission,
            actions: permission,
            workflows: permission,
          })
          .optional(),
        repositories: z.array(text).optional(),
        expiresAt: z.number().optional(),
      }),
    )
    .optional(),
  repositories: z
    .array(
      z.strictObject({
        owner: text,
        name: text,
        private: z.boolean().optional(),
        files: files.nullish(),
        collaborators: z
          .record(z.string(), z.enum(['read', 'triage', 'write', 'maintain', 'admin']))
          .optional(),
        forkOf: text.optional(),
        hasIssues: z.boolean().optional(),
        allowsDrafts: z.boolean().optional(),
      }),
    )
    .optional(),
  pushes: z.array(z.strictObject({ repo: text, branch: text, author: text, files })).optional(),
  protectedBranches: z.array(z.strictObject({ repo: text, branch: text })).optional(),
  issues: z.array(z.strictObject(issueFields)).optional(),
  pullRequests: z
    .array(
      z.strictObject({
        ...issueFields,
        headBranch: text,
        baseBranch: text.optional(),
        draft: z.boolean().optional(),
        headRepository: text.optional(),
        files: files.optional(),
      }),
    )
    .optional(),
  comments: z
    .array(z.strictObject({ repo: text, number: z.int().positive(), author: text, body: z.string() }))
    .optional(),
  rateLimit: z.strictObject({ limit, remaining: z.int().nonnegative() }).optional(),
  faults: z.array(faultSchema).optional(),
});

/** Starts a GitHub as a section of a world describes it. */
export async function startGitHubService(data: unknown, place: ListenOptions): Promise<Service> {
  const seed = parseStrictly(gitHubWorldSchema, data, 'github');
  const simulator = await startGitHubSimulator({
    port: place.port ?? 0,
    host: place.host ?? '127.0.0.1',
    ...(seed.secondaryLimits === undefined ? {} : { secondaryLimits: seed.secondaryLimits }),
  });
  const fail = (fault: unknown) =>
    failStrictly(simulator.fail, parseStrictly(faultSchema, fault, 'fault of github'));
  try {
    await plantEach(seed.users, 'github.users', simulator.addUser);
    await plantEach(seed.repositories, 'github.repositories', simulator.addRepository);
    // A token may name repositories.
    await plantEach(seed.tokens, 'github.tokens', simulator.addToken);
    await plantEach(seed.pushes, 'github.pushes', simulator.push);
    await plantEach(seed.protectedBranches, 'github.protectedBranches', ({ repo, branch }) =>
      simulator.protectBranch(repo, branch),
    );
    await plantEach(seed.issues, 'github.issues', simulator.openIssue);
    await plantEach(seed.pullRequests, 'github.pullRequests', simulator.openPullRequest);
    await plantEach(seed.comments, 'github.comments', simulator.comment);
    if (seed.rateLimit !== undefined) simulator.setRateLimit(seed.rateLimit);
    await plantEach(seed.faults, 'github.faults', fail);
  } catch (error) {
    await simulator.close();
    throw error;
  }
  return { url: simulator.url, requests: () => simulator.requests, fail, close: simulator.close };
}
