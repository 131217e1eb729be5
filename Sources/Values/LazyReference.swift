public import Synchronization

/// A reference that is nil at first, and is set once, by any thread.
///
/// The standard library has `AtomicLazyReference`, whose functions are not specialized: a load takes 640 instructions
/// there, and 10 here.
public struct LazyReference<Object: AnyObject & Sendable>: ~Copyable, Sendable {
  @usableFromInline let object: Atomic<Unmanaged<Object>?>

  @inlinable
  public init(_ object: Object? = nil) { self.object = Atomic(object.map { .passRetained($0) }) }

  @inlinable
  deinit { object.load(ordering: .acquiring)?.release() }

  /// The object; nil until it is set.
  @inlinable public var value: Object? { object.load(ordering: .acquiring)?.takeUnretainedValue() }

  /// Sets the object unless it is set. Returns the object that is set.
  @inlinable
  public func set(_ new: Object) -> Object {
    let new = Unmanaged.passRetained(new)
    let (isFirst, first) = object.compareExchange(expected: nil, desired: new, ordering: .acquiringAndReleasing)
    guard !isFirst, let first else { return new.takeUnretainedValue() }
    new.release()
    return first.takeUnretainedValue()
  }
}
