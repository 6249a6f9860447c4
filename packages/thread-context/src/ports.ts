/** Every port function takes its options last, with the signal that ends it early. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads one issue and its comments. Errors of the platform pass through unchanged.
 *
 * @see seed 000 §3.1 (`github.getIssue`, `github.listComments`)
 */
export interface IssueReader {
  readonly getIssue: (issueNumber: number, options?: CallOptions) => Promise<IssueInput>;
  /** All comments, all pages. The order does not matter. */
  readonly listComments: (issueNumber: number, options?: CallOptions) => Promise<readonly CommentInput[]>;
}

/** An account as REST or GraphQL writes it. */
export interface AuthorInput {
  readonly login: string;
  readonly id?: number | string | null | undefined;
  readonly databaseId?: number | null | undefined;
}

/** Fields that an issue and a comment have in common, in the spellings of REST, GraphQL and `@agent/platforms`. */
export interface PostInput {
  readonly id?: number | string | null | undefined;
  /** GraphQL's number; preferred over `id`, which is opaque text there. */
  readonly databaseId?: number | null | undefined;
  readonly body?: string | null | undefined;
  readonly user?: AuthorInput | null | undefined;
  readonly author?: AuthorInput | null | undefined;
  readonly created_at?: string | undefined;
  readonly createdAt?: string | undefined;
  readonly updated_at?: string | null | undefined;
  readonly updatedAt?: string | null | undefined;
}

/** A comment as a platform lists it. */
export type CommentInput = PostInput;

export type LabelInput = string | { readonly name?: string | null | undefined };

/** An issue, or a pull or merge request seen as one. */
export interface IssueInput extends PostInput {
  readonly number: number;
  readonly title: string;
  readonly labels?: readonly LabelInput[] | { readonly nodes: readonly LabelInput[] } | null | undefined;
  /** Number of comments that the platform counts (REST). */
  readonly comments?: number | { readonly totalCount: number } | undefined;
  readonly commentCount?: number | undefined;
}
