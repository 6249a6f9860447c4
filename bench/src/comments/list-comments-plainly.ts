import type { SeedComment } from './seed-detection.ts';

/** Which thread, and by which fetch. */
export interface PlainListing {
  readonly fetch: typeof globalThis.fetch;
  /** Of the REST API. */
  readonly baseUrl: string;
  readonly repository: string;
  readonly number: number;
  readonly token: string;
}

type ListComments = (listing: PlainListing) => Promise<readonly SeedComment[]>;

/** Everything, in pages of 100, by the links that GitHub gives. */
export const listAllPages: ListComments = async (listing) => {
  const comments: SeedComment[] = [];
  for (let address: string | null = toAddress(listing, 'per_page=100'); address !== null; ) {
    const page = await askPage(listing, address);
    comments.push(...page.comments);
    address = page.next;
  }
  return comments;
};

/** One page of 100, which the seed takes for the newest and GitHub fills with the oldest. @see seed 001 §8.3 */
export const listFirstHundred: ListComments = async (listing) =>
  (await askPage(listing, toAddress(listing, 'per_page=100&page=1'))).comments;

/** What comes without any parameter: the oldest 30. */
export const listFirstThirty: ListComments = async (listing) =>
  (await askPage(listing, toAddress(listing, ''))).comments;

interface Page {
  readonly comments: readonly SeedComment[];
  readonly next: string | null;
}

interface GitHubComment {
  readonly id: number;
  readonly user: { readonly login: string } | null;
  readonly body: string;
  readonly created_at: string;
}

async function askPage({ fetch, token }: PlainListing, address: string): Promise<Page> {
  const answer = await fetch(address, {
    headers: {
      authorization: `Bearer ${token}`,
      'user-agent': 'bench',
      accept: 'application/vnd.github+json',
    },
  });
  if (!answer.ok) throw new Error(`GitHub answered ${answer.status} to ${address}: ${await answer.text()}`);
  const listed = (await answer.json()) as readonly GitHubComment[];
  const next = /<([^<>]+)>;\s*rel="next"/u.exec(answer.headers.get('link') ?? '')?.[1] ?? null;
  return { comments: listed.map(toSeedComment), next };
}

function toSeedComment({ id, user, body, created_at }: GitHubComment): SeedComment {
  return { id, author: user?.login ?? 'ghost', body, created_at };
}

function toAddress({ baseUrl, repository, number }: PlainListing, query: string): string {
  return `${baseUrl}/repos/${repository}/issues/${number}/comments?${query}`;
}
