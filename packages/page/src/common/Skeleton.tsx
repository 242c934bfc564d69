// Grey lines in the place of contents that are being loaded, so that nothing moves when they come.

export function Skeleton({ rows }: { readonly rows: number }) {
  return (
    <div className="skeleton" role="status">
      <span className="hidden">Loading …</span>
      {Array.from({ length: rows }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are alike
        <div key={i} />
      ))}
    </div>
  )
}
