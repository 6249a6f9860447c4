import type { AdapterPlatform } from '../adapter-platform.ts';
import type { RepositoryReader } from '../ports.ts';
import type { TaskKey } from '../task-key.ts';
import type { ChangeRequestsFixture } from './change-requests-contract.ts';
import type { CommentSourceFixture } from './comment-source-fixture.ts';
import type { CommentWriterFixture } from './comment-writer-contract.ts';
import type { PlatformFixture } from './contract-fixture.ts';
import { present } from './expectations.ts';
import type { IdentityFixture } from './identity-contract.ts';
import type { LabelEditorFixture } from './label-editor-contract.ts';
import type { LabelEventReaderFixture } from './label-event-reader-contract.ts';
import type { PermissionReaderFixture } from './permission-reader-contract.ts';
import type { ReactionWriterFixture } from './reaction-writer-contract.ts';
import type { RepositoryReaderFixture } from './repository-reader-contract.ts';
import type { TaskFinderFixture } from './task-finder-contract.ts';
import type { ThreadReaderFixture } from './thread-reader-contract.ts';

/** Fixtures that the suites of the ports need, made of one platform. */
export interface PortFixtures {
  readonly taskFinder: TaskFinderFixture;
  readonly identity: IdentityFixture;
  readonly threadReader: ThreadReaderFixture;
  readonly commentSource: CommentSourceFixture;
  readonly commentWriter: CommentWriterFixture;
  readonly reactionWriter: ReactionWriterFixture;
  readonly labelEditor: LabelEditorFixture;
  readonly labelEventReader: LabelEventReaderFixture;
  readonly permissionReader: PermissionReaderFixture;
  readonly repositoryReader: RepositoryReaderFixture;
  readonly changeRequests: ChangeRequestsFixture;
}

/** Takes a platform apart into the fixtures of its ports. A suite of a role that it lacks fails, and says so. */
export function toPortFixtures(fixture: PlatformFixture<AdapterPlatform>): PortFixtures {
  const { platform, people, key, missingKey, keyOfChangeRequest } = fixture;
  const shared = { people, key };
  const on = (other: TaskKey = key) => platform.openThread(other);
  return {
    taskFinder: { ...shared, open: () => platform.tasks },
    identity: { ...shared, open: () => roleOf(platform, 'identity') },
    threadReader: { ...shared, open: (other) => on(other).reader, missingKey },
    commentSource: { ...shared, open: (other) => on(other).comments, listing: fixture.listing },
    commentWriter: { ...shared, open: (other) => on(other).writer },
    reactionWriter: { ...shared, open: (other) => roleOf(on(other), 'reactions') },
    labelEditor: { ...shared, open: (other) => roleOf(on(other), 'labels') },
    labelEventReader: {
      ...shared,
      open: (other) => roleOf(on(other), 'labelEvents'),
      addLabel: (name) => roleOf(on(), 'labels').addLabel(name),
      removeLabel: (name) => roleOf(on(), 'labels').removeLabel(name),
      agent: () => roleOf(platform, 'identity').whoAmI(),
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
    changeRequests: { ...shared, open: (other) => roleOf(on(other), 'changeRequests'), keyOfChangeRequest },
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
