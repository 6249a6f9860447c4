import type { BuiltInName } from '@agent/orchestrator/platforms';
import type { CheckName } from './check-sheet.ts';

const gitHubPages: Partial<Record<CheckName, string>> = {
  access:
    'https://docs.github.com/en/rest/authentication/permissions-required-for-fine-grained-personal-access-tokens',
  person:
    'https://docs.github.com/en/organizations/managing-user-access-to-your-organizations-repositories/managing-repository-roles/repository-roles-for-an-organization',
  labels: 'https://docs.github.com/en/rest/issues/labels#create-a-label',
  start: 'https://docs.github.com/en/rest/issues/comments#create-an-issue-comment',
  comment: 'https://docs.github.com/en/rest/issues/comments#list-issue-comments',
  'fresh-list': 'https://docs.github.com/en/rest/issues/comments#list-issue-comments',
  reaction: 'https://docs.github.com/en/rest/reactions/reactions#create-reaction-for-an-issue-comment',
  edit: 'https://docs.github.com/en/rest/issues/comments#update-an-issue-comment',
  deletion: 'https://docs.github.com/en/rest/issues/comments#delete-an-issue-comment',
  pages: 'https://docs.github.com/en/rest/using-the-rest-api/using-pagination-in-the-rest-api',
  conditional:
    'https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api#use-conditional-requests-if-appropriate',
  'rate-limit': 'https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api',
  draft:
    'https://docs.github.com/en/pull-requests/collaborating-with-pull-requests/proposing-changes-to-your-work-with-pull-requests/about-pull-requests#draft-pull-requests',
  review: 'https://docs.github.com/en/rest/pulls/comments#create-a-reply-for-a-review-comment',
  webhook:
    'https://docs.github.com/en/webhooks/testing-and-troubleshooting-webhooks/viewing-webhook-deliveries',
  'clean-up':
    'https://docs.github.com/en/issues/tracking-your-work-with-issues/administering-issues/deleting-an-issue',
};

const gitLabPages: Partial<Record<CheckName, string>> = {
  access: 'https://docs.gitlab.com/user/profile/personal_access_tokens/#personal-access-token-scopes',
  person: 'https://docs.gitlab.com/user/permissions/',
  labels: 'https://docs.gitlab.com/api/labels/#create-a-new-label',
  start: 'https://docs.gitlab.com/api/notes/#create-new-issue-note',
  comment: 'https://docs.gitlab.com/api/notes/#list-project-issue-notes',
  'fresh-list': 'https://docs.gitlab.com/api/notes/#list-project-issue-notes',
  reaction: 'https://docs.gitlab.com/api/emoji_reactions/',
  edit: 'https://docs.gitlab.com/api/notes/#modify-existing-issue-note',
  deletion: 'https://docs.gitlab.com/api/notes/#delete-an-issue-note',
  pages: 'https://docs.gitlab.com/api/rest/#pagination',
  'rate-limit': 'https://docs.gitlab.com/security/rate_limits/',
  draft: 'https://docs.gitlab.com/user/project/merge_requests/drafts/',
  review: 'https://docs.gitlab.com/api/discussions/#merge-requests',
  webhook: 'https://docs.gitlab.com/user/project/integrations/webhooks/#view-webhook-request-history',
  'clean-up': 'https://docs.gitlab.com/user/permissions/',
};

const pages: Readonly<Record<BuiltInName, Partial<Record<CheckName, string>>>> = {
  github: gitHubPages,
  gitlab: gitLabPages,
};

/** Finds the page of the platform's documentation that belongs to a check; null for none. */
export function findVendorPage(platform: BuiltInName, name: CheckName): string | null {
  return pages[platform][name] ?? null;
}
