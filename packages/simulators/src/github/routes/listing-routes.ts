import { paged } from '../http/pagination.ts';
import { viewerOf } from '../http/requirements.ts';
import { type Answer, type Call, parameter, type Route, route } from '../http/route.ts';
import { roleOfToken } from '../state/access.ts';
import type { Repository, User } from '../state/model.ts';
import { forbidden, notAccessible, notFound } from '../state/refusal.ts';
import { fullName } from '../state/repositories.ts';
import { findUser } from '../state/users.ts';
import { showRepository } from '../views/repository-view.ts';

/** Repositories of an organization, and of the account that asks. */
export const listingRoutes: readonly Route[] = [
  route('GET /orgs/{org}/repos', 'repos/repos#list-organization-repositories', listOfOrganization),
  route('GET /user/repos', 'repos/repos#list-repositories-for-the-authenticated-user', listOwn),
];

function listOfOrganization(call: Call): Answer {
  const organization = findUser(call.state, parameter(call, 'org'));
  if (organization?.type !== 'Organization') throw notFound();
  return list(call, ({ owner }) => owner === organization);
}

const affiliations = ['owner', 'collaborator', 'organization_member'] as const;

/** Nobody is a member of an organization here: whoever works in its repositories is a collaborator. */
function listOwn(call: Call): Answer {
  if (call.token?.installation) throw forbidden(notAccessible(call.token));
  const viewer = viewerOf(call);
  const asked = call.query.get('affiliation')?.split(',') ?? affiliations;
  return list(call, (repository) => {
    const affiliation = affiliationOf(repository, viewer);
    return affiliation !== null && asked.includes(affiliation);
  });
}

function affiliationOf({ owner, collaborators }: Repository, viewer: User) {
  if (owner === viewer) return 'owner';
  return collaborators.has(viewer.login.toLowerCase()) ? 'collaborator' : null;
}

/** By default in the order of their names; `sort=created` with `direction=asc` as they were made. */
function list(call: Call, isAsked: (repository: Repository) => boolean): Answer {
  const found = [...call.state.repositories.values()].filter(
    (repository) => isAsked(repository) && roleOfToken(repository, call.token) !== null,
  );
  const byName = (one: Repository, other: Repository) => (fullName(one) < fullName(other) ? -1 : 1);
  const isByAge = call.query.get('sort') === 'created';
  const sorted = found.sort(isByAge ? (one, other) => one.id - other.id : byName);
  const isDescending = call.query.get('direction') === 'desc';
  return paged(call, isDescending ? sorted.reverse() : sorted, (one) => showRepository(one, call));
}
