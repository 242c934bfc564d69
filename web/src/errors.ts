// What users read of an error.

export function messageOf(error: unknown): string {
  if (error instanceof TypeError) return 'The service cannot be reached.'
  return error instanceof Error ? error.message : String(error)
}
