/** The error of a call that was not carried out: names the server, its tool and why. */
export function notCarriedOut(
  { server, tool, why }: { readonly server: string; readonly tool: string; readonly why: string },
  options: ErrorOptions,
): Error {
  return new Error(`The MCP server "${server}" did not carry out ${tool}: ${why}`, options);
}
