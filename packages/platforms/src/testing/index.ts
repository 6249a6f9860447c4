export type { ChangeRequestsFixture } from './change-requests-contract.ts';
export { changeRequestsCases, changeRequestsContract } from './change-requests-contract.ts';
export { checksCases, checksContract } from './checks-contract.ts';
export { commentSourceCases, commentSourceContract } from './comment-source-contract.ts';
export {
  type CommentWriterFixture,
  commentWriterCases,
  commentWriterContract,
} from './comment-writer-contract.ts';
export { type ContractCase, type ContractOptions, runContractCase } from './contract.ts';
export type { CommentSourceFixture, ListingHand, PlatformFixture, PortFixture } from './contract-fixture.ts';
export { type ContractPeople, contractWorld, createMemoryFixture } from './contract-fixture.ts';
export {
  type GitCredentialFixture,
  gitCredentialCases,
  gitCredentialContract,
} from './git-credential-contract.ts';
export {
  type LabelEditorFixture,
  type LabelEventReaderFixture,
  labelEditorCases,
  labelEditorContract,
  labelEventReaderCases,
  labelEventReaderContract,
} from './label-contracts.ts';
export {
  type OwnCommentsFixture,
  ownCommentsCases,
  ownCommentsContract,
} from './own-comments-contract.ts';
export type { PermissionReaderFixture } from './people-contracts.ts';
export {
  type AssigneeEditorFixture,
  assigneeEditorCases,
  assigneeEditorContract,
  type IdentityFixture,
  identityCases,
  identityContract,
  permissionReaderCases,
  permissionReaderContract,
} from './people-contracts.ts';
export {
  type PictureSourceFixture,
  pictureSourceCases,
  pictureSourceContract,
} from './picture-source-contract.ts';
export {
  type PlatformContractOptions,
  type PlatformGap,
  type PortFixtures,
  platformContract,
  toPortFixtures,
} from './platform-contract.ts';
export type { ReactionWriterFixture } from './reaction-writer-contract.ts';
export { reactionWriterCases, reactionWriterContract } from './reaction-writer-contract.ts';
export {
  type RepositoryChangesFixture,
  repositoryChangesCases,
  repositoryChangesContract,
} from './repository-changes-contract.ts';
export {
  type RepositoryFinderFixture,
  type RepositoryPeople,
  repositoryFinderCases,
  repositoryFinderContract,
} from './repository-finder-contract.ts';
export {
  type RepositoryLabelsFixture,
  repositoryLabelsCases,
  repositoryLabelsContract,
} from './repository-labels-contract.ts';
export type { RepositoryReaderFixture } from './repository-reader-contract.ts';
export { repositoryReaderCases, repositoryReaderContract } from './repository-reader-contract.ts';
export {
  type RequestChangesFixture,
  requestChangesCases,
  requestChangesContract,
} from './request-changes-contract.ts';
export {
  type ReviewFixture,
  type ReviewPeople,
  reviewThreadsCases,
  reviewThreadsContract,
} from './review-threads-contract.ts';
export { type TaskFinderFixture, taskFinderCases, taskFinderContract } from './task-finder-contract.ts';
export {
  type ThreadHistoryFixture,
  threadHistoryCases,
  threadHistoryContract,
} from './thread-history-contract.ts';
export {
  type ThreadReaderFixture,
  threadReaderCases,
  threadReaderContract,
} from './thread-reader-contract.ts';
