import type { Route } from '../http/route.ts';
import { actionsRoutes } from './actions-routes.ts';
import { activityRoutes } from './activity-routes.ts';
import { appRoutes } from './app-routes.ts';
import { assigneeRoutes } from './assignee-routes.ts';
import { branchRoutes } from './branch-routes.ts';
import { checkRoutes } from './check-routes.ts';
import { commentRoutes } from './comment-routes.ts';
import { compareRoutes } from './compare-routes.ts';
import { contentRoutes } from './content-routes.ts';
import { gitDataRoutes } from './git-data-routes.ts';
import { graphqlRoutes } from './graphql-routes.ts';
import { issueRoutes } from './issue-routes.ts';
import { labelRoutes } from './label-routes.ts';
import { listingRoutes } from './listing-routes.ts';
import { metaRoutes } from './meta-routes.ts';
import { pullRoutes } from './pull-routes.ts';
import { reactionRoutes } from './reaction-routes.ts';
import { refRoutes } from './ref-routes.ts';
import { repositoryRoutes } from './repository-routes.ts';
import { reviewCommentRoutes } from './review-comment-routes.ts';
import { reviewRoutes } from './review-routes.ts';
import { reviewerRoutes } from './reviewer-routes.ts';
import { searchRoutes } from './search-routes.ts';
import { statusRoutes } from './status-routes.ts';
import { userRoutes } from './user-routes.ts';

/** Every address that the simulator serves. The first that matches wins, so that comments come before issues. */
export const allRoutes: readonly Route[] = [
  ...metaRoutes,
  ...appRoutes,
  ...graphqlRoutes,
  ...activityRoutes,
  ...userRoutes,
  ...listingRoutes,
  ...repositoryRoutes,
  ...commentRoutes,
  ...reactionRoutes,
  ...labelRoutes,
  ...assigneeRoutes,
  ...issueRoutes,
  ...reviewCommentRoutes,
  ...reviewRoutes,
  ...reviewerRoutes,
  ...pullRoutes,
  ...checkRoutes,
  ...statusRoutes,
  ...actionsRoutes,
  ...branchRoutes,
  ...refRoutes,
  ...gitDataRoutes,
  ...contentRoutes,
  ...compareRoutes,
  ...searchRoutes,
];
