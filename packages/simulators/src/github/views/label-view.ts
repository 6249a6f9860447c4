import { repositoryApi, type Urls } from '../http/urls.ts';
import type { Label, Repository } from '../state/model.ts';
import { nodeId } from '../state/node-id.ts';
import type { Vendor } from '../vendor.ts';

/** A label of a repository. */
export function showLabel(repository: Repository, label: Label, urls: Urls): Vendor['label'] {
  return {
    id: label.id,
    node_id: nodeId('Label', label.id),
    url: `${repositoryApi(urls, repository)}/labels/${encodeURIComponent(label.name)}`,
    name: label.name,
    color: label.color,
    default: label.isDefault,
    description: label.description,
  };
}
