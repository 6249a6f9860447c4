import { describe, expect, it } from 'vitest';
import type { ReviewPorts } from '../src/index.ts';
import {
  type ContractCase,
  checksCases,
  type ReviewFixture,
  reviewThreadsCases,
  runContractCase,
} from '../src/testing/index.ts';
import { createMemoryReviewFixture } from './fixtures/review-fixtures.ts';

/** Runs a whole suite on the wrong adapter; the case that is about its fault has to fail. */
function itNotices(
  cases: readonly ContractCase<ReviewFixture>[],
  wrong: string,
  { noticedBy, spoil }: { readonly noticedBy: RegExp; readonly spoil: (ports: ReviewPorts) => ReviewPorts },
): void {
  it(`notices an adapter that ${wrong} [NX-183]`, async () => {
    const failed: string[] = [];
    for (const one of cases) {
      const create = async () => {
        const fixture = await createMemoryReviewFixture();
        return { ...fixture, open: () => spoil(fixture.open()) };
      };
      await runContractCase(one, create).catch(() => failed.push(one.name));
    }
    expect(failed.filter((name) => noticedBy.test(name))).not.toEqual([]);
  });
}

const threads = (ports: ReviewPorts, wrong: Partial<ReviewPorts['threads']>) => ({
  ...ports,
  threads: { ...ports.threads, ...wrong },
});
const checks = (ports: ReviewPorts, wrong: Partial<ReviewPorts['checks']>) => ({
  ...ports,
  checks: { ...ports.checks, ...wrong },
});

describe('the contract suites of reviews and checks', () => {
  itNotices(reviewThreadsCases, 'answers as often as it is asked', {
    noticedBy: /exactly once/,
    spoil: (ports) =>
      threads(ports, {
        answer: (answer) =>
          ports.threads.answer({ ...answer, topic: `run:${Math.PI}:${answer.body.length}` }),
      }),
  });
  itNotices(reviewThreadsCases, 'forgets the answers of a thread', {
    noticedBy: /lists review threads/,
    spoil: (ports) =>
      threads(ports, {
        list: async (options) =>
          (await ports.threads.list(options)).map((one) => ({ ...one, comments: one.comments.slice(0, 1) })),
      }),
  });
  itNotices(reviewThreadsCases, 'resolves nothing', {
    noticedBy: /resolves a review thread/,
    spoil: (ports) => threads(ports, { resolve: async () => undefined }),
  });
  itNotices(reviewThreadsCases, 'takes all lines for those of now', {
    noticedBy: /outdated/,
    spoil: (ports) => ({
      ...ports,
      lines: {
        listComments: async (options) => {
          const listing = await ports.lines.listComments(options);
          const comments = listing.comments.map((one) =>
            one.subject?.kind === 'line' ? { ...one, subject: { ...one.subject, outdated: false } } : one,
          );
          return { ...listing, comments };
        },
      },
    }),
  });
  itNotices(reviewThreadsCases, 'shows the text of a review whatever became of it', {
    noticedBy: /text changes with their state/,
    spoil: (ports) => ({
      ...ports,
      reviews: ports.reviews && {
        listComments: async (options) => {
          const listing = await ports.reviews?.listComments(options);
          if (listing === undefined) throw new Error('there are reviews');
          return { ...listing, comments: listing.comments.map((one) => ({ ...one, body: 'Not yet.' })) };
        },
      },
    }),
  });
  itNotices(checksCases, 'lists the last attempt alone', {
    noticedBy: /every attempt/,
    spoil: (ports) =>
      checks(ports, { list: async (options) => (await ports.checks.list(options)).slice(-1) }),
  });
  itNotices(checksCases, 'lists what it knows, whatever the head', {
    noticedBy: /nothing of another head/,
    spoil: (ports) => {
      const first = ports.checks.readHead();
      return checks(ports, { readHead: () => first });
    },
  });
  itNotices(checksCases, 'shows the beginning of a log', {
    noticedBy: /end of a log/,
    spoil: (ports) =>
      checks(ports, {
        readLog: async (check, options) => {
          const log = await ports.checks.readLog(check, options);
          return log === null ? null : `line 0 of the log\n${log.slice(0, 100)}`;
        },
      }),
  });
});
