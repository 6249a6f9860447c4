/** A request of git's smart protocol. */
export interface ServiceRequest {
  /** Path after the repository: `/info/refs`, `/git-upload-pack`, `/git-receive-pack`. */
  readonly service: string;
  /** Without the question mark. */
  readonly query: string;
}

/** Checks whether the request is part of a push. */
export function isPush({ service, query }: ServiceRequest): boolean {
  return (
    service === '/git-receive-pack' || (service === '/info/refs' && /service=git-receive-pack\b/.test(query))
  );
}
