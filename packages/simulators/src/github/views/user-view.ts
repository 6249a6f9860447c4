import type { Urls } from '../http/urls.ts';
import type { User } from '../state/model.ts';
import { nodeId } from '../state/node-id.ts';
import type { Vendor } from '../vendor.ts';

const ghost = { login: 'ghost', id: 10137, type: 'User' } as const;

/** An account as it stands beside what it wrote; a deleted one is `ghost`, or null. */
export function showAuthor(user: User, urls: Urls): Vendor['nullable-simple-user'] {
  return user.deletedAs === 'null' ? null : showUser(user, urls);
}

/** An account, in short. */
export function showUser(user: User, urls: Urls): Vendor['simple-user'] {
  const { login, id, type } = user.deletedAs ? ghost : user;
  const api = `${urls.api}/users/${encodeURIComponent(login)}`;
  return {
    login,
    id,
    node_id: nodeId(type, id),
    avatar_url: `${urls.web}/avatars/u/${id}?v=4`,
    gravatar_id: '',
    url: api,
    html_url: type === 'Bot' ? `${urls.web}/apps/${login.replace(/\[bot\]$/, '')}` : `${urls.web}/${login}`,
    followers_url: `${api}/followers`,
    following_url: `${api}/following{/other_user}`,
    gists_url: `${api}/gists{/gist_id}`,
    starred_url: `${api}/starred{/owner}{/repo}`,
    subscriptions_url: `${api}/subscriptions`,
    organizations_url: `${api}/orgs`,
    repos_url: `${api}/repos`,
    events_url: `${api}/events{/privacy}`,
    received_events_url: `${api}/received_events`,
    type,
    user_view_type: 'public',
    site_admin: false,
  };
}

/** An account's public profile. */
export function showProfile(user: User, urls: Urls): Vendor['public-user'] {
  return {
    ...showUser(user, urls),
    name: user.name,
    email: null,
    company: null,
    blog: '',
    location: null,
    hireable: null,
    bio: null,
    twitter_username: null,
    public_repos: 0,
    public_gists: 0,
    followers: 0,
    following: 0,
    created_at: user.createdAt,
    updated_at: user.createdAt,
  };
}
