import type { AdapterPlatform } from '../adapter-platform.ts';
import { changeRequestsContract } from './change-requests-contract.ts';
import { commentSourceContract } from './comment-source-contract.ts';
import { commentWriterContract } from './comment-writer-contract.ts';
import type { ContractOptions } from './contract.ts';
import type { PlatformFixture } from './contract-fixture.ts';
import { identityContract } from './identity-contract.ts';
import { labelEditorContract } from './label-editor-contract.ts';
import { labelEventReaderContract } from './label-event-reader-contract.ts';
import { permissionReaderContract } from './permission-reader-contract.ts';
import { type PortFixtures, toPortFixtures } from './port-fixtures.ts';
import { reactionWriterContract } from './reaction-writer-contract.ts';
import { repositoryReaderContract } from './repository-reader-contract.ts';
import { taskFinderContract } from './task-finder-contract.ts';
import { threadReaderContract } from './thread-reader-contract.ts';

/** A known gap of one port: see `ContractOptions.skip`. */
export interface PlatformGap {
  readonly port: keyof PortFixtures;
  readonly reason: string;
  readonly test: string;
}

/** As `ContractOptions`, with the gaps of all ports in one list. */
export interface PlatformContractOptions
  extends Omit<ContractOptions<PlatformFixture<AdapterPlatform>>, 'skip'> {
  readonly skip?: readonly PlatformGap[];
}

/** The suites of all ports, for a platform that has every role. */
export function platformContract({ name, create, skip = [] }: PlatformContractOptions): void {
  const optionsFor = <Port extends keyof PortFixtures>(port: Port): ContractOptions<PortFixtures[Port]> => ({
    name,
    create: async () => {
      const fixture = await create();
      return { ...toPortFixtures(fixture)[port], close: fixture.close };
    },
    skip: skip.filter((gap) => gap.port === port),
  });
  identityContract(optionsFor('identity'));
  taskFinderContract(optionsFor('taskFinder'));
  threadReaderContract(optionsFor('threadReader'));
  commentSourceContract(optionsFor('commentSource'));
  commentWriterContract(optionsFor('commentWriter'));
  reactionWriterContract(optionsFor('reactionWriter'));
  labelEditorContract(optionsFor('labelEditor'));
  labelEventReaderContract(optionsFor('labelEventReader'));
  permissionReaderContract(optionsFor('permissionReader'));
  repositoryReaderContract(optionsFor('repositoryReader'));
  changeRequestsContract(optionsFor('changeRequests'));
}
