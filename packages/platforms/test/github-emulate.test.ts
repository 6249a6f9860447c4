// @module-tag full
import {
  labelEventReaderCases,
  type PlatformGap,
  platformContract,
  reactionWriterCases,
  repositoryChangesCases,
  threadHistoryCases,
} from '../src/testing/index.ts';
import { createEmulateFixture } from './fixtures/emulate-fixture.ts';

/** Without reactions, everything that looks for one fails. */
const reactionGaps = reactionWriterCases
  .map(({ name }) => name)
  .filter((name) => !/^says not-found of (?:the reactions to )?a comment that was deleted$/.test(name))
  .map((test) => ({ port: 'reactionWriter', reason: 'emulate has no reactions', test }) as const);

const eventGaps = labelEventReaderCases
  .map(({ name }) => name)
  .filter((name) => name !== "ends with the signal's reason")
  .map((test) => ({ port: 'labelEventReader', reason: 'emulate has no GraphQL', test }) as const);

const historyGaps = threadHistoryCases
  .map(({ name }) => name)
  .filter((name) => name !== "ends with the signal's reason")
  .map((test) => ({ port: 'threadHistory', reason: 'emulate has no GraphQL', test }) as const);

const changesGaps = repositoryChangesCases
  .map(({ name }) => name)
  .filter((name) => name !== "ends with the signal's reason")
  .map(
    (test) =>
      ({ port: 'repositoryChanges', reason: "emulate lists no repository's comments", test }) as const,
  );

/** What emulate 0.12.2 does otherwise than GitHub. */
const gaps: readonly PlatformGap[] = [
  ...reactionGaps,
  ...eventGaps,
  ...historyGaps,
  ...changesGaps,
  {
    port: 'taskFinder',
    reason: 'emulate leaves pull requests out of the list of issues',
    test: 'tells pull requests and issues apart by their keys',
  },
  {
    port: 'threadReader',
    reason: 'emulate answers 404 to GET /issues/{number of a pull request}',
    test: 'reads a pull or merge request with its branches',
  },
  {
    port: 'labelEditor',
    reason: 'emulate takes labels of more than 50 characters',
    test: 'says that a label which cannot be created is invalid, and changes nothing [RL-1]',
  },
  {
    port: 'permissionReader',
    reason: 'emulate says push and pull where GitHub says write and read',
    test: 'knows owner, writer and reader apart [X11]',
  },
  {
    port: 'changeRequests',
    reason: 'emulate opens pull requests from branches that are not there',
    test: 'refuses a draft from a branch that was not pushed',
  },
];

platformContract({ name: 'GitHub as emulate plays it', create: createEmulateFixture, skip: gaps });
