import { repositoryApi, repositoryPage, type Urls } from '../http/urls.ts';
import { includesRole, roleOf } from '../state/access.ts';
import type { Repository, Role, User } from '../state/model.ts';
import { nodeId } from '../state/node-id.ts';
import { fullName } from '../state/repositories.ts';
import type { Vendor } from '../vendor.ts';
import { showUser } from './user-view.ts';

export interface Seen {
  readonly urls: Urls;
  readonly viewer: User | null;
}

/** A repository as it stands in other answers. */
export function showRepository(repository: Repository, seen: Seen): Vendor['repository'] {
  const openThreads = [...repository.threads.values()].filter(({ state }) => state === 'open').length;
  return {
    id: repository.id,
    node_id: nodeId('Repository', repository.id),
    name: repository.name,
    full_name: fullName(repository),
    private: repository.private,
    owner: showUser(repository.owner, seen.urls),
    html_url: repositoryPage(seen.urls, repository),
    description: null,
    fork: repository.fork !== null,
    url: repositoryApi(seen.urls, repository),
    ...repositoryAddresses(repository, seen.urls),
    created_at: repository.createdAt,
    updated_at: repository.updatedAt,
    pushed_at: repository.pushedAt,
    homepage: null,
    size: 0,
    stargazers_count: 0,
    watchers_count: 0,
    language: null,
    has_issues: repository.hasIssues,
    has_projects: true,
    has_downloads: true,
    has_wiki: true,
    has_pages: false,
    has_discussions: false,
    forks_count: 0,
    mirror_url: null,
    archived: repository.archived,
    disabled: repository.disabled,
    open_issues_count: openThreads,
    license: null,
    allow_forking: true,
    is_template: false,
    web_commit_signoff_required: false,
    topics: [],
    visibility: repository.private ? 'private' : 'public',
    forks: 0,
    open_issues: openThreads,
    watchers: 0,
    default_branch: repository.defaultBranch,
    allow_squash_merge: true,
    allow_merge_commit: true,
    allow_rebase_merge: true,
    allow_auto_merge: false,
    delete_branch_on_merge: false,
    allow_update_branch: false,
    use_squash_pr_title_as_default: false,
    ...(seen.viewer ? { permissions: showPermissions(roleOf(repository, seen.viewer)) } : {}),
  };
}

/** A repository asked for by its own address. */
export function showFullRepository(repository: Repository, seen: Seen): Vendor['full-repository'] {
  const { owner, fork } = repository;
  const parent = fork && showRepository(fork.parent, seen);
  return {
    ...showRepository(repository, seen),
    created_at: repository.createdAt,
    updated_at: repository.updatedAt,
    pushed_at: repository.pushedAt,
    has_discussions: false,
    temp_clone_token: seen.viewer ? '' : null,
    network_count: 0,
    subscribers_count: 0,
    ...(owner.type === 'Organization' ? { organization: showUser(owner, seen.urls) } : {}),
    ...(parent ? { parent, source: parent } : {}),
  };
}

/** Shows what a role may, flag by flag. */
export function showPermissions(role: Role | null) {
  return {
    admin: includesRole(role, 'admin'),
    maintain: includesRole(role, 'maintain'),
    push: includesRole(role, 'write'),
    triage: includesRole(role, 'triage'),
    pull: includesRole(role, 'read'),
  };
}

/** The addresses that every answer about a repository lists, whether the simulator serves them or not. */
function repositoryAddresses(repository: Repository, urls: Urls) {
  const api = repositoryApi(urls, repository);
  const page = repositoryPage(urls, repository);
  const name = fullName(repository);
  return {
    forks_url: `${api}/forks`,
    keys_url: `${api}/keys{/key_id}`,
    collaborators_url: `${api}/collaborators{/collaborator}`,
    teams_url: `${api}/teams`,
    hooks_url: `${api}/hooks`,
    issue_events_url: `${api}/issues/events{/number}`,
    events_url: `${api}/events`,
    assignees_url: `${api}/assignees{/user}`,
    branches_url: `${api}/branches{/branch}`,
    tags_url: `${api}/tags`,
    blobs_url: `${api}/git/blobs{/sha}`,
    git_tags_url: `${api}/git/tags{/sha}`,
    git_refs_url: `${api}/git/refs{/sha}`,
    trees_url: `${api}/git/trees{/sha}`,
    statuses_url: `${api}/statuses/{sha}`,
    languages_url: `${api}/languages`,
    stargazers_url: `${api}/stargazers`,
    contributors_url: `${api}/contributors`,
    subscribers_url: `${api}/subscribers`,
    subscription_url: `${api}/subscription`,
    commits_url: `${api}/commits{/sha}`,
    git_commits_url: `${api}/git/commits{/sha}`,
    comments_url: `${api}/comments{/number}`,
    issue_comment_url: `${api}/issues/comments{/number}`,
    contents_url: `${api}/contents/{+path}`,
    compare_url: `${api}/compare/{base}...{head}`,
    merges_url: `${api}/merges`,
    archive_url: `${api}/{archive_format}{/ref}`,
    downloads_url: `${api}/downloads`,
    issues_url: `${api}/issues{/number}`,
    pulls_url: `${api}/pulls{/number}`,
    milestones_url: `${api}/milestones{/number}`,
    notifications_url: `${api}/notifications{?since,all,participating}`,
    labels_url: `${api}/labels{/name}`,
    releases_url: `${api}/releases{/id}`,
    deployments_url: `${api}/deployments`,
    git_url: `git:${page.replace(/^https?:/, '')}.git`,
    ssh_url: `git@${new URL(urls.web).hostname}:${name}.git`,
    clone_url: `${page}.git`,
    svn_url: page,
  };
}
