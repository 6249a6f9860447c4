import * as z from 'zod';
import type { Platform } from '../platform.ts';
import type { PlatformThread, RepositoryChanges } from '../ports.ts';
import {
  accessAnswer,
  accountAnswer,
  branchesAnswer,
  branchUseAnswer,
  changeRequestAnswer,
  changesAnswer,
  commentEditAnswer,
  commentsAnswer,
  credentialAnswer,
  editedAnswer,
  editsAnswer,
  ensuredAnswer,
  labelEventAnswer,
  ownCommentsAnswer,
  parentAnswer,
  reactionsAnswer,
  repositoryAnswer,
  tasksAnswer,
  threadAnswer,
  threadsAnswer,
} from './adapter-answers.ts';

/** Calling convention of one function of a port, and what it has to answer. */
export interface PortFunction {
  /** Number of arguments before the options. */
  readonly subjects: number;
  /** Least that an answer has; null where nobody reads one. */
  readonly answer: z.ZodType | null;
  /** True where an adapter that has the role may lack the function. */
  readonly mayLack?: boolean;
}

/** Functions of one port, by their names. */
export type PortTable = Readonly<Record<string, PortFunction>>;

type Described<Call> = Call extends (...given: infer Given) => Promise<unknown>
  ? {
      readonly subjects: Required<Given> extends readonly [unknown, unknown] ? 1 : 0;
      readonly answer: Call extends (...given: never) => Promise<void> ? null : z.ZodType;
      readonly mayLack?: boolean;
    }
  : never;

/** A port's table has a line for each of its functions: one that is added to the port is missing here until it is passed on. */
type TableOf<Port> = {
  readonly [Name in keyof Required<Port>]: Described<NonNullable<Port[Name]>> &
    (undefined extends Port[Name] ? { readonly mayLack: true } : unknown);
};

type TablesOf<Roles> = { readonly [Role in keyof Required<Roles>]: TableOf<NonNullable<Roles[Role]>> };

const call = <Answer extends z.ZodType | null>(answer: Answer) => ({ subjects: 0, answer }) as const;
const callOn = <Answer extends z.ZodType | null>(answer: Answer) => ({ subjects: 1, answer }) as const;

/** Every role of a thread. */
export const threadPorts = {
  reader: {
    readThread: call(threadAnswer),
    // The comment is read as listed ones are.
    getComment: { ...callOn(z.looseObject({}).nullable()), mayLack: true },
    readParent: { ...call(parentAnswer.nullable()), mayLack: true },
  },
  comments: { listComments: call(commentsAnswer) },
  writer: { ensureComment: call(ensuredAnswer) },
  labels: { addLabel: callOn(null), removeLabel: callOn(null) },
  labelEvents: { lastLabeled: callOn(labelEventAnswer) },
  history: {
    lastAssigned: callOn(labelEventAnswer),
    listEdits: call(editsAnswer),
    lastReopened: { ...call(labelEventAnswer), mayLack: true },
    lastCommentEdit: { ...callOn(commentEditAnswer), mayLack: true },
  },
  assignees: { assign: callOn(null), unassign: callOn(null) },
  permissions: { accessOf: callOn(accessAnswer) },
  repository: {
    describe: call(repositoryAnswer),
    listFiles: { ...call(z.array(z.string())), mayLack: true },
    readFile: { ...callOn(z.string()), mayLack: true },
    searchThreads: { ...callOn(threadsAnswer), mayLack: true },
  },
  changeRequests: {
    listBranches: call(branchesAnswer),
    findChangeRequest: call(changeRequestAnswer.nullable()),
    describeBranch: { ...call(branchUseAnswer), mayLack: true },
    ensureDraft: call(changeRequestAnswer),
    requestReview: { ...call(null), mayLack: true },
  },
  reactions: {
    ensureReaction: call(null),
    listReactions: { ...call(reactionsAnswer), mayLack: true },
  },
  ownComments: { list: call(ownCommentsAnswer), edit: call(editedAnswer), remove: callOn(null) },
} as const satisfies TablesOf<Omit<PlatformThread, 'key'>>;

/** Functions of a platform that open something. */
type OpenedLater = Extract<keyof Platform, `open${string}`>;

/** Every role of a platform; what it opens has roles of its own. */
export const platformPorts = {
  tasks: { listTasks: call(tasksAnswer) },
  identity: { whoAmI: call(accountAnswer) },
  accounts: { findAccount: callOn(accountAnswer.nullable()) },
} as const satisfies TablesOf<
  Omit<
    Platform,
    | 'name'
    | 'host'
    | 'serverNow'
    | 'gitCredential'
    | 'threads'
    | 'repositories'
    | 'repositoryLabels'
    | OpenedLater
  >
>;

/** Function of a platform that gives git a login. */
export const credentialPort = {
  gitCredential: { ...callOn(credentialAnswer.nullable()), mayLack: true },
} as const satisfies TableOf<Pick<Platform, 'gitCredential'>>;

/** Functions of what `openChanges` opens. */
export const changesPort = { listChanges: call(changesAnswer) } as const satisfies TableOf<RepositoryChanges>;

/** The same type, where what is optional has to be named too: an object of it forgets nothing. */
export type Whole<Type> = { readonly [Name in keyof Required<Type>]: Type[Name] };
