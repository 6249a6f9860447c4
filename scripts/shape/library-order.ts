/** What a library may import of ours besides the leaf. */
const alsoReads: Readonly<Record<string, string>> = {
  'packages/context-inheritance': '@agent/run-store',
};

/** Tells whether a member may import a package, by its name or a subpath of it: a library the leaf, `orchestrator` and apps any, the simulators none of ours. */
export function mayImport(member: string, specifier: string): boolean {
  if (!specifier.startsWith('@agent/')) return true;
  if (member === 'simulators') return false;
  if (!member.startsWith('packages/')) return true;
  if (member === 'packages/orchestrator') return true;
  if (member === 'packages/text') return false;
  const name = specifier.split('/', 2).join('/');
  return name === '@agent/text' || name === alsoReads[member];
}
