import type { AdapterPlatform } from '../custom/adapter-platform.ts';
import type { RepositoryReader } from '../ports.ts';
import type { TaskKey } from '../task-key.ts';
import { type ChangeRequestsFixture, changeRequestsContract } from './change-requests-contract.ts';
import { commentSourceContract } from './comment-source-contract.ts';
import { type CommentWriterFixture, commentWriterContract } from './comment-writer-contract.ts';
import { type ContractOptions, present } from './contract.ts';
import type { CommentSourceFixture, PlatformFixture } from './contract-fixture.ts';
import {
  type LabelEditorFixture,
  type LabelEventReaderFixture,
  labelEditorContract,
  labelEventReaderContract,
} from './label-contracts.ts';
import { type OwnCommentsFixture, ownCommentsContract } from './own-comments-contract.ts';
import {
  type AssigneeEditorFixture,
  assigneeEditorContract,
  type IdentityFixture,
  identityContract,
  type PermissionReaderFixture,
  permissionReaderContract,
} from './people-contracts.ts';
import { type ReactionWriterFixture, reactionWriterContract } from './reaction-writer-contract.ts';
import { type RepositoryChangesFixture, repositoryChangesContract } from './repository-changes-contract.ts';
import { type RepositoryReaderFixture, repositoryReaderContract } from './repository-reader-contract.ts';
import { type TaskFinderFixture, taskFinderContract } from './task-finder-contract.ts';
import { type ThreadHistoryFixture, threadHistoryContract } from './thread-history-contract.ts';
import { type ThreadReaderFixture, threadReaderContract } from './thread-reader-contract.ts';

/** A known gap of one port: see `ContractOptions.skip`. */
export interface PlatformGap {
  readonly port: keyof PortFixtures;
  readonly reason: string;
  readonly test: string;
}

/** As `ContractOptions`, with the gaps of all ports in one list. */
export interface PlatformContractOptions
  extends Omit<ContractOptions<PlatformFixture<AdapterPlatform>>, 'skip'> {
  readonly skip?: readonly PlatformGap[];
}

/**
 * The suites of all ports, for a platform that has every role.
 *
 * @example
 * platformContract({ name: 'the platform in memory', create: createMemoryFixture });
 */
export function platformContract({ name, create, skip = [] }: PlatformContractOptions): void {
  const optionsFor = <Port extends keyof PortFixtures>(port: Port): ContractOptions<PortFixtures[Port]> => ({
    name,
    create: async () => {
      const fixture = await create();
      return { ...toPortFixtures(fixture)[port], close: fixture.close };
    },
    skip: skip.filter((gap) => gap.port === port),
  });
  identityContract(optionsFor('identity'));
  taskFinderContract(optionsFor('taskFinder'));
  threadReaderContract(optionsFor('threadReader'));
  commentSourceContract(optionsFor('commentSource'));
  commentWriterContract(optionsFor('commentWriter'));
  ownCommentsContract(optionsFor('ownComments'));
  reactionWriterContract(optionsFor('reactionWriter'));
  labelEditorContract(optionsFor('labelEditor'));
  labelEventReaderContract(optionsFor('labelEventReader'));
  threadHistoryContract(optionsFor('threadHistory'));
  assigneeEditorContract(optionsFor('assigneeEditor'));
  permissionReaderContract(optionsFor('permissionReader'));
  repositoryReaderContract(optionsFor('repositoryReader'));
  repositoryChangesContract(optionsFor('repositoryChanges'));
  changeRequestsContract(optionsFor('changeRequests'));
}

/** Fixtures that the suites of the ports need, made of one platform. */
export interface PortFixtures {
  readonly taskFinder: TaskFinderFixture;
  readonly identity: IdentityFixture;
  readonly threadReader: ThreadReaderFixture;
  readonly commentSource: CommentSourceFixture;
  readonly commentWriter: CommentWriterFixture;
  readonly ownComments: OwnCommentsFixture;
  readonly reactionWriter: ReactionWriterFixture;
  readonly labelEditor: LabelEditorFixture;
  readonly labelEventReader: LabelEventReaderFixture;
  readonly threadHistory: ThreadHistoryFixture;
  readonly assigneeEditor: AssigneeEditorFixture;
  readonly permissionReader: PermissionReaderFixture;
  readonly repositoryReader: RepositoryReaderFixture;
  readonly repositoryChanges: RepositoryChangesFixture;
  readonly changeRequests: ChangeRequestsFixture;
}

/** Takes a platform apart into the fixtures of its ports. A suite of a role that it lacks fails, and says so. */
export function toPortFixtures(fixture: PlatformFixture<AdapterPlatform>): PortFixtures {
  const { platform, people, key, missingKey, keyOfChangeRequest } = fixture;
  const shared = { people, key };
  const on = (other: TaskKey = key) => platform.openThread(other);
  const agent = () => roleOf(platform, 'identity').whoAmI();
  return {
    taskFinder: { ...shared, open: () => platform.tasks },
    identity: { ...shared, open: () => roleOf(platform, 'identity') },
    threadReader: { ...shared, open: (other) => on(other).reader, missingKey },
    commentSource: { ...shared, open: (other) => on(other).comments, listing: fixture.listing },
    commentWriter: { ...shared, open: (other) => on(other).writer },
    ownComments: {
      ...shared,
      open: (other) => {
        const thread = on(other);
        return { writer: thread.writer, ownComments: roleOf(thread, 'ownComments') };
      },
      listing: fixture.listing,
    },
    reactionWriter: { ...shared, open: (other) => roleOf(on(other), 'reactions') },
    labelEditor: { ...shared, open: (other) => roleOf(on(other), 'labels') },
    labelEventReader: {
      ...shared,
      open: (other) => roleOf(on(other), 'labelEvents'),
      addLabel: (name) => roleOf(on(), 'labels').addLabel(name),
      removeLabel: (name) => roleOf(on(), 'labels').removeLabel(name),
      agent,
    },
    threadHistory: { ...shared, open: (other) => roleOf(on(other), 'history'), agent },
    assigneeEditor: {
      ...shared,
      open: (other) => roleOf(on(other), 'assignees'),
      agent,
      assignees: async () => (await on().reader.readThread()).assignees.map(({ login }) => login),
    },
    permissionReader: {
      ...shared,
      open: (other) => roleOf(on(other), 'permissions'),
      accountOf: async (login) => {
        const opened = await people.openIssue({ author: login, title: `by ${login}` });
        return present(
          (await platform.openThread(opened).reader.readThread()).author,
          'the author of a thread',
        );
      },
    },
    repositoryReader: { ...shared, open: (other) => roleOf(on(other), 'repository') as RepositoryReader },
    repositoryChanges: { ...shared, open: (other = key) => roleOf(platform, 'openChanges')(other) },
    changeRequests: {
      ...shared,
      open: (other) => roleOf(on(other), 'changeRequests'),
      keyOfChangeRequest,
      reporter: async () => present((await on().reader.readThread()).author, 'the author of the thread'),
    },
  };
}

function roleOf<Roles, Role extends keyof Roles & string>(
  roles: Roles,
  role: Role,
): NonNullable<Roles[Role]> {
  const made = roles[role];
  if (made === null || made === undefined) {
    throw new Error(`This fixture's platform has no \`${role}\`: leave this suite out.`);
  }
  return made;
}
