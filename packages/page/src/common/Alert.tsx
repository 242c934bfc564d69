// The message of an error, which screen readers read at once.

export function Alert({ message }: { readonly message: string | undefined }) {
  return (
    <p role="alert" className="error">
      {message}
    </p>
  )
}
