export { parseLinkHeader } from '../http/page-links.ts';
export {
  type CredentialExamination,
  type CredentialFinding,
  examineGitHubCredential,
  examineGitLabCredential,
} from './credential-examiner.ts';
export { createGitHubExaminer, findGitHubTokenPage } from './github-examiner.ts';
export { createGitLabExaminer, findGitLabTokenPage } from './gitlab-examiner.ts';
export type {
  ExaminedTrigger,
  ExaminerOptions,
  GitLogin,
  RepositoryExaminer,
  RepositoryFinding,
} from './repository-probe.ts';
