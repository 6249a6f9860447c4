import { describe } from 'vitest';
import type { RepositoryListing } from '../src/index.ts';
import { repositoryChangesCases } from '../src/testing/index.ts';
import { itNotices } from './fixtures/wrong-adapter.ts';

type Change = (listing: RepositoryListing, poll: number) => RepositoryListing;

const changes = (wrong: string, noticedBy: RegExp, change: Change) =>
  itNotices({
    port: 'repositoryChanges',
    cases: repositoryChangesCases,
    wrong,
    noticedBy,
    spoil: ({ listChanges }) => {
      let polls = 0;
      return {
        listChanges: async (options) => {
          polls += 1;
          return change(await listChanges(options), polls);
        },
      };
    },
  });

const stale = { thread: 'octo/hello#1', comment: null };

describe('the contract suite of what changed in a repository', () => {
  changes('tells everything at its first poll', /that it has begun at the first poll/, (listing, poll) =>
    poll === 1 ? { ...listing, changes: [stale] } : listing,
  );
  changes('takes its beginning for nothing new', /that it has begun at the first poll/, (listing, poll) =>
    poll === 1 ? { ...listing, unchanged: true } : listing,
  );
  changes('never says that nothing changed', /nothing changed/, (listing) => ({
    ...listing,
    unchanged: false,
  }));
  changes('names threads though nothing changed', /names nothing then/, (listing) =>
    listing.unchanged ? { ...listing, changes: [stale] } : listing,
  );
  changes('forgets all but one thread', /each thread/, (listing) => ({
    ...listing,
    changes: listing.changes.filter(({ thread }) => thread === 'octo/hello#1'),
  }));
  changes('calls a change nothing new', /new comments|edited/, (listing, poll) =>
    poll > 1 ? { ...listing, changes: [], unchanged: true } : listing,
  );
  changes('shows comments as they were', /edited/, (listing) => ({
    ...listing,
    changes: listing.changes.map(({ thread, comment }) => ({
      thread,
      comment: comment && { ...comment, body: 'before' },
    })),
  }));
  changes('drops the second page', /every comment since/, (listing) => ({
    ...listing,
    changes: listing.changes.slice(0, 100),
  }));
  itNotices({
    port: 'repositoryChanges',
    cases: repositoryChangesCases,
    wrong: 'takes no signal',
    noticedBy: /signal's reason/,
    spoil: ({ listChanges }) => ({ listChanges: () => listChanges() }),
  });
});
