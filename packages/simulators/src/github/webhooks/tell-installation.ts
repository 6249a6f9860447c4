import { listInstalled } from '../apps/installations.ts';
import type { Urls } from '../http/urls.ts';
import type { Installation } from '../state/app-model.ts';
import type { Repository, State } from '../state/model.ts';
import { nodeId } from '../state/node-id.ts';
import { fullName, seededRepository } from '../state/repositories.ts';
import { showInstallation } from '../views/app-view.ts';
import type { AccountHappening } from './happening.ts';
import type { Told } from './told.ts';

/** Tells an app where it is installed, and for which repositories. */
export function tellInstallation(state: State, happening: AccountHappening, urls: Urls): Told {
  const installation = findInstallation(state, happening.installation);
  const shown = showInstallation(installation, urls);
  const common = { sender: installation.account, action: happening.action, installation: shown };
  if (happening.event === 'installation')
    return { ...common, repositories: listInstalled(state, installation).map(tellRepository) };
  const named = happening.repositories.map((name) => tellRepository(seededRepository(state, name)));
  const isAdded = happening.action === 'added';
  return {
    ...common,
    repository_selection: shown.repository_selection,
    repositories_added: isAdded ? named : [],
    repositories_removed: isAdded ? [] : named,
    requester: null,
  };
}

/** The installation as all other deliveries to an app name it. */
export function tellAddressee(state: State, id: number | undefined): object {
  if (id === undefined) return {};
  const found = findInstallation(state, id);
  return { installation: { id: found.id, node_id: nodeId('IntegrationInstallation', found.id) } };
}

function findInstallation(state: State, id: number): Installation {
  const installation = state.installations.get(id);
  if (!installation) throw new Error(`There is no installation ${id}: apps.install(…) first.`);
  return installation;
}

function tellRepository(repository: Repository) {
  const { id, name } = repository;
  return {
    id,
    node_id: nodeId('Repository', id),
    name,
    full_name: fullName(repository),
    private: repository.private,
  };
}
