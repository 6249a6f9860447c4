import type { Route } from '../http/route.ts';
import { approvalRoutes } from './approval-routes.ts';
import { awardRoutes } from './award-routes.ts';
import { branchRoutes } from './branch-routes.ts';
import { commitRoutes } from './commit-routes.ts';
import { contentRoutes } from './content-routes.ts';
import { discussionRoutes } from './discussion-routes.ts';
import { eventRoutes } from './event-routes.ts';
import { issueRoutes } from './issue-routes.ts';
import { jobRoutes } from './job-routes.ts';
import { labelRoutes } from './label-routes.ts';
import { memberRoutes } from './member-routes.ts';
import { mergeRequestRoutes } from './merge-request-routes.ts';
import { metaRoutes } from './meta-routes.ts';
import { noteRoutes } from './note-routes.ts';
import { pipelineRoutes } from './pipeline-routes.ts';
import { projectRoutes } from './project-routes.ts';
import { searchRoutes } from './search-routes.ts';
import { statusRoutes } from './status-routes.ts';
import { tokenRoutes } from './token-routes.ts';
import { uploadRoutes } from './upload-routes.ts';
import { userRoutes } from './user-routes.ts';

/** Every address below `/api/v4`. The first that fits answers. */
export const allRoutes: readonly Route[] = [
  ...metaRoutes,
  ...userRoutes,
  ...tokenRoutes,
  ...projectRoutes,
  ...memberRoutes,
  ...issueRoutes,
  ...noteRoutes,
  ...discussionRoutes,
  ...approvalRoutes,
  ...awardRoutes,
  ...eventRoutes,
  ...labelRoutes,
  ...mergeRequestRoutes,
  ...branchRoutes,
  ...contentRoutes,
  ...statusRoutes,
  ...pipelineRoutes,
  ...jobRoutes,
  ...commitRoutes,
  ...searchRoutes,
  ...uploadRoutes,
];
