package dev.evenkeel.testing.internal.convergence;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * The files of the machine, with directories that list them in the reverse order: what depends on the order, which a file
 * system is free to choose, differs. {@code java.io.File} is not affected.
 *
 * <p>The option {@code -Djava.nio.file.spi.DefaultFileSystemProvider} of a JVM names it. Each path must have this
 * provider, so it is a proxy in front of a path of the JVM's own.
 */
public final class ReversedDirectories extends FileSystemProvider {
    private final FileSystemProvider files;
    private final FileSystem system;

    /** Called by the JVM, with its own provider. */
    public ReversedDirectories(FileSystemProvider files) {
        this.files = files;
        system = new ReversedSystem(files.getFileSystem(URI.create("file:///")));
    }

    @Override
    public DirectoryStream<Path> newDirectoryStream(Path directory, DirectoryStream.Filter<? super Path> filter)
            throws IOException {
        List<Path> entries = new ArrayList<>();
        try (DirectoryStream<Path> stream =
                files.newDirectoryStream(plain(directory), entry -> filter.accept(proxy(entry)))) {
            stream.forEach(entry -> entries.add(proxy(entry)));
        }
        Collections.reverse(entries);
        return new DirectoryStream<>() {
            @Override
            public Iterator<Path> iterator() {
                return entries.iterator();
            }

            @Override
            public void close() {
                // it was read to its end
            }
        };
    }

    // paths

    private Path proxy(Path path) {
        return (Path) Proxy.newProxyInstance(
                ReversedDirectories.class.getClassLoader(), new Class<?>[] {Path.class}, new PathHandler(path));
    }

    /** Returns the path of the JVM's own provider. */
    private static Path plain(Path path) {
        return Proxy.isProxyClass(path.getClass()) && Proxy.getInvocationHandler(path) instanceof PathHandler handler
                ? handler.path
                : path;
    }

    /** Calls the methods of a path of the JVM's own provider. */
    private final class PathHandler implements InvocationHandler {
        private final Path path;

        PathHandler(Path path) {
            this.path = path;
        }

        @Override
        public @Nullable Object invoke(Object self, Method method, Object @Nullable [] arguments) throws Throwable {
            if (arguments == null) {
                switch (method.getName()) {
                    case "getFileSystem" -> {
                        return system;
                    }
                    case "toFile" -> {
                        return new File(path.toString());
                    }
                    default -> {}
                }
            }
            try {
                return proxied(method.invoke(path, arguments == null ? null : plainOnes(arguments)));
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }

        private static @Nullable Object[] plainOnes(@Nullable Object[] arguments) {
            return Arrays.stream(arguments)
                    .map(argument -> argument instanceof Path other ? plain(other) : argument)
                    .toArray();
        }

        private @Nullable Object proxied(@Nullable Object answer) {
            return switch (answer) {
                case Path other -> proxy(other);
                case Iterator<?> names -> proxies(names).iterator();
                case null, default -> answer;
            };
        }
    }

    private List<Path> proxies(Iterator<?> paths) {
        List<Path> proxies = new ArrayList<>();
        paths.forEachRemaining(path -> proxies.add(proxy((Path) path)));
        return proxies;
    }

    /** A file system of the JVM with paths of this provider. */
    private final class ReversedSystem extends FileSystem {
        private final FileSystem plain;

        ReversedSystem(FileSystem plain) {
            this.plain = plain;
        }

        @Override
        public FileSystemProvider provider() {
            return ReversedDirectories.this;
        }

        @Override
        public void close() throws IOException {
            plain.close();
        }

        @Override
        public boolean isOpen() {
            return plain.isOpen();
        }

        @Override
        public boolean isReadOnly() {
            return plain.isReadOnly();
        }

        @Override
        public String getSeparator() {
            return plain.getSeparator();
        }

        @Override
        public Iterable<Path> getRootDirectories() {
            return proxies(plain.getRootDirectories().iterator());
        }

        @Override
        public Iterable<FileStore> getFileStores() {
            return plain.getFileStores();
        }

        @Override
        public Set<String> supportedFileAttributeViews() {
            return plain.supportedFileAttributeViews();
        }

        @Override
        public Path getPath(String first, String... more) {
            return proxy(plain.getPath(first, more));
        }

        @Override
        public PathMatcher getPathMatcher(String pattern) {
            PathMatcher matcher = plain.getPathMatcher(pattern);
            return path -> matcher.matches(plain(path));
        }

        @Override
        public UserPrincipalLookupService getUserPrincipalLookupService() {
            return plain.getUserPrincipalLookupService();
        }

        @Override
        public WatchService newWatchService() throws IOException {
            return plain.newWatchService();
        }
    }

    // what is as in the JVM's own provider

    @Override
    public String getScheme() {
        return files.getScheme();
    }

    @Override
    public FileSystem newFileSystem(URI uri, Map<String, ?> environment) throws IOException {
        return files.newFileSystem(uri, environment);
    }

    @Override
    public FileSystem getFileSystem(URI uri) {
        return system;
    }

    @Override
    public Path getPath(URI uri) {
        return proxy(files.getPath(uri));
    }

    @Override
    public SeekableByteChannel newByteChannel(
            Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) throws IOException {
        return files.newByteChannel(plain(path), options, attributes);
    }

    @Override
    public FileChannel newFileChannel(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
            throws IOException {
        return files.newFileChannel(plain(path), options, attributes);
    }

    @Override
    public AsynchronousFileChannel newAsynchronousFileChannel(
            Path path, Set<? extends OpenOption> options, ExecutorService executor, FileAttribute<?>... attributes)
            throws IOException {
        return files.newAsynchronousFileChannel(plain(path), options, executor, attributes);
    }

    @Override
    public void createDirectory(Path directory, FileAttribute<?>... attributes) throws IOException {
        files.createDirectory(plain(directory), attributes);
    }

    @Override
    public void createSymbolicLink(Path link, Path target, FileAttribute<?>... attributes) throws IOException {
        files.createSymbolicLink(plain(link), plain(target), attributes);
    }

    @Override
    public void createLink(Path link, Path existing) throws IOException {
        files.createLink(plain(link), plain(existing));
    }

    @Override
    public Path readSymbolicLink(Path link) throws IOException {
        return proxy(files.readSymbolicLink(plain(link)));
    }

    @Override
    public void delete(Path path) throws IOException {
        files.delete(plain(path));
    }

    @Override
    public void copy(Path source, Path target, CopyOption... options) throws IOException {
        files.copy(plain(source), plain(target), options);
    }

    @Override
    public void move(Path source, Path target, CopyOption... options) throws IOException {
        files.move(plain(source), plain(target), options);
    }

    @Override
    public boolean isSameFile(Path path, Path other) throws IOException {
        return files.isSameFile(plain(path), plain(other));
    }

    @Override
    public boolean isHidden(Path path) throws IOException {
        return files.isHidden(plain(path));
    }

    @Override
    public FileStore getFileStore(Path path) throws IOException {
        return files.getFileStore(plain(path));
    }

    @Override
    public void checkAccess(Path path, AccessMode... modes) throws IOException {
        files.checkAccess(plain(path), modes);
    }

    @Override
    public <V extends FileAttributeView> @Nullable V getFileAttributeView(
            Path path, Class<V> type, LinkOption... options) {
        return files.getFileAttributeView(plain(path), type, options);
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(Path path, Class<A> type, LinkOption... options)
            throws IOException {
        return files.readAttributes(plain(path), type, options);
    }

    @Override
    public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options) throws IOException {
        return files.readAttributes(plain(path), attributes, options);
    }

    @Override
    public void setAttribute(Path path, String attribute, @Nullable Object value, LinkOption... options)
            throws IOException {
        files.setAttribute(plain(path), attribute, value, options);
    }
}
